import { Link } from '@tanstack/react-router'
import { FlaskConical } from 'lucide-react'
import { movesMoney, toSearchIn, useMode } from '../parts/mode.ts'
import { classNames } from '../ui/class-names.ts'
import { words } from '../ui/language.ts'

export function ModeSwitch() {
  const mode = useMode()
  const { frame } = words()
  return (
    <nav aria-label={frame.mode} className="flex rounded-button border border-control p-0.5">
      {(['test', 'live'] as const).map((one) => (
        <Link
          key={one}
          to="."
          search={toSearchIn(one)}
          aria-current={mode === one ? 'true' : undefined}
          className={classNames(
            'flex min-h-9 items-center rounded-control px-3 text-sm font-medium',
            mode === one
              ? one === 'test'
                ? 'bg-test-bg text-test-text'
                : 'bg-accent text-on-accent'
              : 'text-ink',
          )}
        >
          {frame[one]}
        </Link>
      ))}
    </nav>
  )
}

export function NoMoneyBar() {
  const mode = useMode()
  const { frame } = words()
  if (movesMoney(mode)) return null
  return (
    <p className="flex items-center justify-center gap-2 bg-test-bg px-4 py-2 text-center text-xs font-strong text-test-text sm:text-sm">
      <FlaskConical aria-hidden className="size-4 shrink-0" />
      {mode === 'test' ? frame.testBar : frame.sandboxBar}
    </p>
  )
}
