import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { pageData } from '../api/page-data.ts'

let isFirstPage = true

export interface PageHeadProps {
  title: string
  text?: ReactNode
  /** What follows `title` in the title of the browser window. */
  within?: readonly (string | null | undefined)[]
  children?: ReactNode
}

/**
 * The heading gets the focus after a navigation, so that a screen reader starts here. A focused field keeps the focus.
 */
export function PageHead({ title, text, within = [], children }: PageHeadProps) {
  const ref = useRef<HTMLHeadingElement>(null)
  const windowTitle = [title, ...within.filter(Boolean), pageData.operatorName].join(' · ')
  useEffect(() => {
    document.title = windowTitle
  }, [windowTitle])
  useEffect(() => {
    const hasFocusedField = ref.current?.closest('main')?.querySelector('input:focus')
    if (!isFirstPage && !hasFocusedField) ref.current?.focus({ preventScroll: true })
    isFirstPage = false
  }, [])
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="grid min-w-0 flex-1 basis-80 gap-1">
        <h1 ref={ref} tabIndex={-1} className="text-xl font-strong wrap-anywhere min-w-0">
          {title}
        </h1>
        {text && (
          <p data-screen className="max-w-prose text-muted">
            {text}
          </p>
        )}
      </div>
      {children && <div className="flex flex-wrap gap-2">{children}</div>}
    </div>
  )
}
