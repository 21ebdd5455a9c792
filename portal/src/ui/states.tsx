import type { ReactNode } from 'react'
import { entryWords } from './language.ts'
import { classNames } from './class-names.ts'

/** The rows are about as high as the content, so that the page hardly moves when the content arrives. */
export function Skeleton({ rows = 3, height = 'h-14' }: { rows?: number; height?: string }) {
  return (
    <div className="delayed grid gap-2" role="status">
      <span className="sr-only">{entryWords().frame.loading}</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className={classNames('animate-pulse rounded-control bg-surface', height)} />
      ))}
    </div>
  )
}

export function Empty({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  return (
    <div className="grid justify-items-start gap-3 rounded-card border border-dashed border-control p-6 sm:p-8">
      <p className="text-lg font-strong">{title}</p>
      {text && <p className="max-w-prose text-muted">{text}</p>}
      {children && <div className="flex flex-wrap gap-2">{children}</div>}
    </div>
  )
}
