import { Link, useMatchRoute } from '@tanstack/react-router'
import { Time } from './time.tsx'

interface Row {
  projectId: string
  mode: 'live' | 'test'
  id: string
  createdAt: string
}

/** The link covers the whole row. */
export function RowLink({
  to,
  row,
}: {
  to: '/projects/$id/deliveries' | '/projects/$id/transactions'
  row: Row
}) {
  // On the list's own page, the link keeps the filters in the URL. On the overview, it does not: the URL of the overview
  // contains the days of the stats, and these days must not filter the list.
  const isInList = useMatchRoute()({ to, params: { id: row.projectId } }) !== false
  return (
    <Link
      to={to}
      params={{ id: row.projectId }}
      search={(current) => ({ ...(isInList && current), mode: row.mode, row: row.id })}
      resetScroll={false}
      className="after:absolute after:inset-0"
    >
      <Time at={row.createdAt} both="wide" />
    </Link>
  )
}
