import { useParams } from '@tanstack/react-router'
import { usePermissions, useMembers } from '../../api/members.ts'
import { useProject } from '../../api/projects.ts'
import { useAccount } from '../../api/session.ts'
import { Failed } from '../../parts/failed.tsx'
import { toModeName, useMode } from '../../parts/mode.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { words } from '../../ui/language.ts'
import { Skeleton } from '../../ui/states.tsx'
import { InviteCard } from './invite-card.tsx'
import { LeaveCard } from './leave-card.tsx'
import { MailsCard } from './mails-card.tsx'
import { MemberTable } from './member-table.tsx'
import { TransferCard } from './transfer-card.tsx'

export function Page() {
  const { id } = useParams({ from: '/framed/projects/$id/members' })
  const { members: text } = words()
  const { email } = useAccount()
  const { data: project, error: projectError, refetch: refetchProject } = useProject(id)
  const { data, error, refetch } = useMembers(id)
  const may = usePermissions(id)
  const mode = useMode()
  const ownMember = data?.members.find((one) => one.email === email && one.state === 'active')
  return (
    <>
      <PageHead title={text.title} text={text.intro} within={[project?.name, toModeName(mode)]} />
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {/* Without the project, the user's role is unknown, so some controls are missing. */}
      {projectError && !error && <Failed error={projectError} onRetry={() => void refetchProject()} />}
      {!data && !error && <Skeleton rows={3} />}
      {data && (
        <MemberTable
          projectId={id}
          members={data.members}
          transfer={data.transfer}
          canManage={may('members')}
        />
      )}
      <div className="grid items-start gap-6 xl:grid-cols-2">
        {may('members') && <InviteCard projectId={id} transfer={data?.transfer ?? null} />}
        {data && (
          <TransferCard
            projectId={id}
            members={data.members}
            transfer={data.transfer}
            isOwner={may('ownership')}
          />
        )}
        {ownMember && ownMember.role !== 'owner' && (
          <>
            <MailsCard projectId={id} email={email} role={ownMember.role} mails={ownMember.mails} />
            <LeaveCard projectId={id} />
          </>
        )}
      </div>
    </>
  )
}
