import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { Choice } from '../ui/field.tsx'
import { words } from '../ui/language.ts'

/** The heading of the sorted column. A press reverses the order and opens the first page. */
export function SortLink({ order, children }: { order: 'newest' | 'oldest'; children: string }) {
  const { sorting } = words().payments
  const Icon = order === 'oldest' ? ArrowUp : ArrowDown
  return (
    <>
      <span className="md:hidden">{children}</span>
      <Link
        to="."
        search={({ page: _page, row: _row, order: _order, ...rest }) =>
          order === 'oldest' ? rest : { ...rest, order: 'oldest' }
        }
        resetScroll={false}
        title={order === 'oldest' ? sorting.newest : sorting.oldest}
        className="inline-flex min-h-6 items-center gap-1.5 hover:text-ink max-md:hidden"
      >
        {children}
        <Icon aria-hidden className="size-3.5 shrink-0" />
      </Link>
    </>
  )
}

interface SortChoiceProps {
  order: 'oldest' | undefined
  onChoice: (order: '' | 'oldest') => void
}

/** The choice of the order on phones, where tables have no headings. */
export function SortChoice({ order, onChoice }: SortChoiceProps) {
  const { sorting } = words().payments
  const options = [
    { value: '', label: sorting.newest },
    { value: 'oldest', label: sorting.oldest },
  ] as const
  return (
    <Choice
      className="col-span-2 md:hidden"
      label={sorting.label}
      value={order ?? ''}
      options={options}
      onChoice={onChoice}
    />
  )
}
