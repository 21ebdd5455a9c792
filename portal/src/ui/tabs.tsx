// A row of links to the parts of a page. On a phone it scrolls sideways.
import type { ReactNode } from 'react'

const LINK = 'flex min-h-11 shrink-0 items-center border-b-2 -outline-offset-3'

/** For the link of the open part and for the others. */
export const TAB = {
  active: { className: `${LINK} border-accent font-medium`, 'aria-current': 'page' },
  inactive: { className: `${LINK} border-transparent text-muted hover:text-ink` },
} as const

export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav
      aria-label={label}
      className="-mt-2 flex gap-x-6 overflow-x-auto border-b border-line whitespace-nowrap max-sm:gap-x-3 max-sm:text-sm"
    >
      {children}
    </nav>
  )
}
