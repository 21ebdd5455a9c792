// What a page shows while it has nothing to show: waiting, failed, empty.
import type { ReactNode } from 'react'
import { toErrorText, toFieldTexts } from '../api/api-error.ts'
import { words } from '../app/language.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { Notice } from './notice.tsx'

/** Rows of the height they will have, so that nothing jumps when they come. */
export function Skeleton({ rows = 3, height = 'h-14' }: { rows?: number; height?: string }) {
  return (
    <div className="late grid gap-2" role="status">
      <span className="sr-only">{words().frame.loading}</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className={classNames('animate-pulse rounded-control bg-surface', height)} />
      ))}
    </div>
  )
}

export function Failed({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { title, detail } = toErrorText(error)
  // What is said about single fields says more than that something is wrong with them.
  const said = Object.values(toFieldTexts(error))
  return (
    <Notice
      tone="error"
      title={title}
      action={
        onRetry && (
          <Button small onClick={onRetry}>
            {words().frame.tryAgain}
          </Button>
        )
      }
    >
      {said.length === 0 ? detail : said.join(' ')}
    </Notice>
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
