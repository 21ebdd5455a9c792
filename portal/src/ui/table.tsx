// Real tables for wide screens; on narrow ones each row becomes a small list, every value beside the name of its column.
import type { ReactNode, TableHTMLAttributes } from 'react'
import { classNames } from './class-names.ts'

export interface TableProps extends TableHTMLAttributes<HTMLTableElement> {
  label: string
  children: ReactNode
}

export function Table({ label, children, ...rest }: TableProps) {
  return (
    <div className="overflow-hidden rounded-card border border-line bg-raised">
      <table {...rest} aria-label={label} className="block w-full text-left text-sm md:table">
        {children}
      </table>
    </div>
  )
}

export function HeadCell({ children, right = false }: { children: ReactNode; right?: boolean }) {
  return (
    <th
      scope="col"
      className={classNames('bg-surface px-4 py-3 text-xs font-medium text-muted', right && 'text-right')}
    >
      {children}
    </th>
  )
}

export interface CellProps {
  label: string
  children: ReactNode
  right?: boolean
  className?: string
}

export function Cell({ label, children, right = false, className }: CellProps) {
  return (
    <td
      className={classNames(
        'flex min-h-9 items-start justify-between gap-4 px-4 py-1.5 md:table-cell md:py-2.5 md:align-middle',
        right && 'md:text-right',
        className,
      )}
    >
      <span aria-hidden className="shrink-0 text-muted md:hidden">
        {label}
      </span>
      <span className="min-w-0 text-right wrap-anywhere md:text-inherit">{children}</span>
    </td>
  )
}
