// A row of links to the parts of a page. On a phone, the row scrolls sideways.
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'

const LINK = 'flex min-h-11 shrink-0 items-center border-b-2 -outline-offset-3'

export const TAB = {
  active: { className: `${LINK} border-accent font-medium`, 'aria-current': 'page' },
  inactive: { className: `${LINK} border-transparent text-muted hover:text-ink` },
} as const

export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  const nav = useRef<HTMLElement>(null)
  const current = useRef<Element>(null)
  useEffect(() => {
    const active = nav.current?.querySelector('[aria-current=page]') ?? null
    if (!nav.current || active === null || active === current.current) return
    current.current = active
    // The row scrolls, and the page stays where it is.
    const [row, link] = [nav.current.getBoundingClientRect(), active.getBoundingClientRect()]
    nav.current.scrollLeft += link.left + link.width / 2 - (row.left + row.width / 2)
  })
  return (
    <nav
      ref={nav}
      aria-label={label}
      className="edge-shade-page -mt-2 flex gap-x-6 overflow-x-auto border-b border-line whitespace-nowrap max-sm:gap-x-3 max-sm:text-sm"
    >
      {children}
    </nav>
  )
}
