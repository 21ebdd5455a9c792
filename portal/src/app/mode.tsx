// Test or live, as the address says. The overview's address always says it (see the router); on any other page an
// address without a mode means live.
import { Link, useSearch } from '@tanstack/react-router'
import { FlaskConical } from 'lucide-react'
import type { Mode } from '@pazar/contract'
import { classNames } from '../ui/class-names.ts'
import { words } from './language.ts'
import { parseModeSearch } from './search.ts'

export function useMode(): Mode {
  return parseModeSearch(useSearch({ strict: false })).mode ?? 'live'
}

/** The window's name says the mode too, for those with many tabs. */
export function modeName(mode: Mode): string {
  const { frame } = words()
  return mode === 'test' ? frame.test : frame.live
}

export function ModeSwitch() {
  const mode = useMode()
  const { frame } = words()
  return (
    <nav aria-label={frame.mode} className="flex rounded-button border border-control p-0.5">
      {(['test', 'live'] as const).map((one) => (
        <Link
          key={one}
          to="."
          // Rows and pages of one mode mean nothing in the other; filters do.
          search={({ page: _page, row: _row, ...kept }) => ({ ...kept, mode: one })}
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
          {modeName(one)}
        </Link>
      ))}
    </nav>
  )
}

export function TestBar() {
  if (useMode() !== 'test') return null
  return (
    <p className="flex items-center justify-center gap-2 bg-test-bg px-4 py-2 text-center text-sm font-strong text-test-text">
      <FlaskConical aria-hidden className="size-4 shrink-0" />
      {words().frame.testBar}
    </p>
  )
}
