import { Link, useParams } from '@tanstack/react-router'
import { usePermissions } from '../../api/members.ts'
import { useMode } from '../../parts/mode.ts'
import { buttonClass } from '../../ui/button.tsx'
import { words } from '../../ui/language.ts'
import { Empty } from '../../ui/states.tsx'

/** A payment that is not found is often in the other mode. */
export function EmptyList({ filtered }: { filtered: boolean }) {
  const { payments } = words()
  const { id } = useParams({ from: '/framed/projects/$id/transactions' })
  const may = usePermissions(id)
  const mode = useMode()
  const otherMode = mode === 'live' ? 'test' : 'live'
  if (filtered)
    return (
      <Empty title={payments.noneTitle} text={payments.noneText}>
        <Link
          to="."
          search={({ page: _page, ...rest }) => ({ ...rest, mode: otherMode })}
          className={buttonClass()}
        >
          {payments.drawer.lookIn[otherMode]}
        </Link>
      </Empty>
    )
  return (
    <Empty title={payments.emptyTitle} text={payments.emptyText}>
      {may('operate') && (
        <Link to="/projects/$id/link" params={{ id }} search={{ mode }} className={buttonClass('main')}>
          {payments.emptyAction}
        </Link>
      )}
    </Empty>
  )
}
