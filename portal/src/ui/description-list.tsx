import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export interface DescriptionListProps {
  items: readonly (readonly [string, ReactNode])[]
  /** True: the values are sentences. They are aligned on the left, in a column of their own. */
  sentences?: boolean
}

const SHORT = 'flex flex-wrap justify-between gap-x-6 gap-y-1'
const SENTENCE = 'grid gap-x-6 gap-y-1 sm:grid-cols-[6rem_1fr]'

export function DescriptionList({ items, sentences = false }: DescriptionListProps) {
  return (
    <dl className="grid divide-y divide-line border-y border-line text-sm">
      {items.map(([name, value]) => (
        <div key={name} className={classNames('py-2.5', sentences ? SENTENCE : SHORT)}>
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 wrap-anywhere [&>time]:block [&>time]:text-right">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
