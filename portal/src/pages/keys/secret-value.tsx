import type { Mode } from '@pazar/contract'
import { setupWords } from '../../ui/language.ts'

/** A fixed number of dots, which does not reveal the length of the secret. */
const DOTS = '•'.repeat(24)

export interface SecretValueProps {
  mode: Mode
  value: string | null
  /** True: the secret cannot be shown again after it is hidden. */
  isOnce?: boolean
}

export function SecretValue({ mode, value, isOnce = false }: SecretValueProps) {
  const { keys } = setupWords()
  const box =
    'flex min-h-11 min-w-0 items-center gap-3 rounded-control border border-line bg-surface px-3 py-2'
  if (value === null) {
    return (
      <p className={box}>
        <code className="min-w-0 overflow-hidden font-mono whitespace-nowrap text-muted" aria-hidden>
          {`sk_${mode}_${DOTS}`}
        </code>
        <span className="sr-only">{keys.masked}</span>
      </p>
    )
  }
  return (
    <div className="grid gap-1.5">
      <div className={box}>
        <output aria-label={keys.value} className="min-w-0 flex-1 font-mono wrap-anywhere select-all">
          {value}
        </output>
        {/* A ring that shrinks for a minute, until the secret is hidden. Its circumference is 100. */}
        <svg
          aria-hidden
          viewBox="0 0 36 36"
          className="size-6 shrink-0 -rotate-90 fill-none stroke-accent stroke-[4]"
        >
          <circle cx="18" cy="18" r="15.9155" className="ring-60s" />
        </svg>
      </div>
      {!isOnce && <p className="text-sm text-muted">{keys.hidesSoon}</p>}
    </div>
  )
}
