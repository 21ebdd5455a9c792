import type { ReactNode } from 'react'

/** Names and their values; a long value takes the line below its name. */
export function FactsList({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid divide-y divide-line border-y border-line text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-2.5">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 wrap-anywhere [&>time]:block [&>time]:text-right">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
