import { classNames } from '../ui/class-names.ts'
import { modeName, useMode } from './mode.ts'

/** Beside totals, so that nobody takes test amounts for money. */
export function ModeTag() {
  const mode = useMode()
  return (
    <span
      className={classNames(
        'inline-flex rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap',
        mode === 'test' ? 'bg-test-bg text-test-text' : 'bg-ok-bg text-ok',
      )}
    >
      {modeName(mode)}
    </span>
  )
}
