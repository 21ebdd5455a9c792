// Tables for wide screens. On narrow screens, each row becomes a small card.
import type { ReactNode, TableHTMLAttributes } from 'react'
import { classNames } from './class-names.ts'

export interface TableProps extends TableHTMLAttributes<HTMLTableElement> {
  label: string
  /** For a table that can be wider than its page. Its headings do not stay in view. */
  scrolls?: boolean
  children: ReactNode
}

export function Table({ label, scrolls = false, children, ...rest }: TableProps) {
  return (
    // If the box scrolls, the headings cannot stay in view. So on a wide screen, the box scrolls only if `scrolls` is set.
    <div
      className={classNames(
        'overflow-x-auto rounded-card border border-line bg-raised',
        !scrolls && 'lg:overflow-clip',
      )}
      tabIndex={scrolls ? 0 : undefined}
      role={scrolls ? 'group' : undefined}
      aria-label={scrolls ? label : undefined}
    >
      <table {...rest} aria-label={label} className="block w-full text-left text-sm md:table print:table">
        {children}
      </table>
    </div>
  )
}

/** Hides a cell on screens of medium width. The class needs `!`, because `Cell` sets `md:table-cell` for these screens too. */
export const WIDE_ONLY = 'md:max-xl:hidden!'

export interface HeadCellProps {
  children: ReactNode
  right?: boolean
  sort?: 'ascending' | 'descending'
  className?: string
}

/** The cell has a shadow at the bottom, because a border would scroll away. */
export function HeadCell({ children, right = false, sort, className }: HeadCellProps) {
  return (
    <th
      scope="col"
      aria-sort={sort}
      className={classNames(
        'bg-surface px-3 py-3 text-xs font-medium text-muted shadow-head lg:sticky lg:top-0 lg:z-10 print:static print:px-2',
        right && 'text-right',
        className,
      )}
    >
      {children}
    </th>
  )
}

export const ROW = classNames(
  'relative grid grid-cols-[minmax(0,1fr)_fit-content(65%)] gap-x-4 border-t border-line px-4 py-3 first:border-t-0 hover:bg-surface',
  'md:table-row print:table-row',
)

/** On a phone, the row takes two lines in three columns. */
export const DENSE_ROW = classNames(
  'relative grid grid-cols-[auto_minmax(0,1fr)_fit-content(50%)] items-baseline gap-x-2 border-t border-line px-4 py-2 first:border-t-0 hover:bg-surface',
  'md:table-row print:table-row',
)

/** On a phone, `title` and `state` are on the first line, and `more` is small text on the second line. */
export const DENSE = {
  title: 'max-md:-order-2 max-md:col-span-2 max-md:text-base max-md:font-medium',
  state: 'max-md:-order-1',
  more: 'max-md:text-xs max-md:text-muted',
}

export type NarrowPosition = 'left' | 'right' | 'whole' | 'hidden'

const POSITIONS: Record<NarrowPosition, string> = {
  left: 'text-left',
  right: 'text-right',
  whole: 'col-span-2 text-left',
  hidden: 'hidden',
}

export interface CellProps {
  label: string
  children: ReactNode
  right?: boolean
  narrow?: NarrowPosition
  named?: boolean
  className?: string
}

export function Cell({
  label,
  children,
  right = false,
  narrow = 'left',
  named = false,
  className,
}: CellProps) {
  return (
    <td
      className={classNames(
        'min-w-0 py-1 wrap-anywhere md:table-cell md:px-3 md:py-2.5 md:align-middle print:table-cell print:px-2 print:py-1',
        POSITIONS[narrow],
        right ? 'md:text-right print:text-right' : 'md:text-left print:text-left',
        className,
      )}
    >
      <span className={classNames('md:hidden print:hidden', named ? 'block text-xs text-muted' : 'sr-only')}>
        {label}
        {named ? '' : ': '}
      </span>
      {children}
    </td>
  )
}
