import { useState } from 'react'
import type { MemberRole, MemberView } from '@pazar/contract'
import { INVITATION_MAX_DAYS } from '@pazar/contract/limits'
import { MEMBER_ROLES } from '@pazar/contract/permissions'
import { formatDate } from '@pazar/words'
import { changeRole, inviteMember } from '../../api/members.ts'
import { useAccount } from '../../api/session.ts'
import { Failed } from '../../parts/failed.tsx'
import { Time } from '../../parts/time.tsx'
import { useAction } from '../../parts/use-action.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/field.tsx'
import { locale, words } from '../../ui/language.ts'
import { Cell, HeadCell, ROW, Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toasts.tsx'
import { RemoveDialog } from './remove-dialog.tsx'

const DAY_MS = 86_400_000

export interface MemberTableProps {
  projectId: string
  members: readonly MemberView[]
  canManage: boolean
}

export function MemberTable({ projectId, members, canManage }: MemberTableProps) {
  const { members: text } = words()
  const { columns } = text
  const { email: ownEmail } = useAccount()
  const [removing, setRemoving] = useState<MemberView | null>(null)
  const { run, error } = useAction(async (email: string, role: MemberRole) => {
    await changeRole(projectId, email, role)
    toast(text.roleSaved)
  })
  // Another invitation with the same role replaces the first one.
  const resending = useAction(async ({ email, role }: MemberView) => {
    if (role !== 'owner') await inviteMember(projectId, email, role)
    toast(text.invite.sent)
  })
  const failure = error ?? resending.error
  return (
    <>
      {failure !== null && <Failed error={failure} />}
      <Table label={text.title}>
        <thead>
          <tr>
            <HeadCell>{columns.person}</HeadCell>
            <HeadCell>{columns.role}</HeadCell>
            <HeadCell>{columns.since}</HeadCell>
            {canManage && <HeadCell right>{columns.action}</HeadCell>}
          </tr>
        </thead>
        <tbody>
          {members.map((member) => {
            const { email, role, state, since } = member
            const isManaged = canManage && role !== 'owner' && email !== ownEmail
            return (
              <tr key={`${email} ${state}`} className={ROW}>
                <Cell label={columns.person} narrow="whole" className="font-medium">
                  <span className="wrap-anywhere">{email}</span>
                  {email === ownEmail && <span className="text-muted"> ({text.you})</span>}
                </Cell>
                <Cell label={columns.role}>
                  {isManaged && state === 'active' ? (
                    <Choice
                      hideLabel
                      label={text.roleOf(email)}
                      value={role}
                      options={MEMBER_ROLES.map((value) => ({ value, label: text.roles[value] }))}
                      onChoice={(chosen) => void run(email, chosen)}
                    />
                  ) : (
                    <RoleName member={member} />
                  )}
                </Cell>
                <Cell label={state === 'invited' ? text.invited : columns.since} narrow="right" named>
                  <Time at={since} />
                  {state === 'invited' && <LastDay sentAt={since} />}
                </Cell>
                {canManage && (
                  <Cell
                    label={columns.action}
                    narrow={isManaged ? 'whole' : 'hidden'}
                    right
                    className="max-md:pt-2 max-md:text-right!"
                  >
                    {isManaged && (
                      <Actions
                        member={member}
                        isSending={resending.busy}
                        onSendAgain={() => void resending.run(member)}
                        onRemove={() => setRemoving(member)}
                      />
                    )}
                  </Cell>
                )}
              </tr>
            )
          })}
        </tbody>
      </Table>
      {removing && <RemoveDialog projectId={projectId} member={removing} onClose={() => setRemoving(null)} />}
    </>
  )
}

function RoleName({ member: { role, state } }: { member: MemberView }) {
  const { members: text } = words()
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {text.roles[role]}
      {state === 'invited' && <Badge tone="info" text={text.invited} />}
    </span>
  )
}

/** The last day on which an invitation that was sent at this time is valid. */
function LastDay({ sentAt }: { sentAt: string }) {
  const { timeZone } = useAccount()
  const end = new Date(Date.parse(sentAt) + INVITATION_MAX_DAYS * DAY_MS)
  return (
    <span className="block text-xs text-muted">
      {words().members.invitation.facts.expiresAt} {formatDate(locale, end, timeZone)}
    </span>
  )
}

interface ActionsProps {
  member: MemberView
  isSending: boolean
  onSendAgain: () => void
  onRemove: () => void
}

function Actions({ member: { email, state }, isSending, onSendAgain, onRemove }: ActionsProps) {
  const { members: text } = words()
  const isInvited = state === 'invited'
  return (
    <span className="flex flex-wrap justify-end gap-2">
      {isInvited && (
        <Button small busy={isSending} onClick={onSendAgain}>
          {text.sendAgain}
          <span className="sr-only">{email}</span>
        </Button>
      )}
      <Button small kind="danger" onClick={onRemove}>
        {isInvited ? text.cancel : text.remove}
        <span className="sr-only">{email}</span>
      </Button>
    </span>
  )
}
