import { classNames } from '../ui/class-names.ts'
import { toModeName, movesMoney, useMode } from './mode.ts'

/** Shown beside totals, so that nobody thinks that test amounts are real money. */
export function ModeTag() {
  const mode = useMode()
  return (
    <span
      className={classNames(
        'inline-flex rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap',
        movesMoney(mode) ? 'bg-ok-bg text-ok' : 'bg-test-bg text-test-text',
      )}
    >
      {toModeName(mode)}
    </span>
  )
}
