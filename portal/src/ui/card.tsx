import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export interface CardProps {
  /** For links to the card. */
  id?: string
  title?: string
  text?: ReactNode
  actions?: ReactNode
  children?: ReactNode
  className?: string
}

export function Card({ id, title, text, actions, children, className }: CardProps) {
  return (
    <section
      id={id}
      className={classNames(
        'grid content-start gap-4 min-w-0 rounded-card border border-line bg-raised p-4 sm:p-6',
        className,
      )}
    >
      {(title || actions) && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          {title && <h2 className="text-base font-strong">{title}</h2>}
          {actions}
        </div>
      )}
      {text && <p className={classNames('text-sm text-muted', title && '-mt-2')}>{text}</p>}
      {children}
    </section>
  )
}
