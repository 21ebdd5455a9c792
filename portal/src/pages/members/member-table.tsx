import { useRef, useState } from 'react'
import type { MemberRole, MemberView, TransferView } from '@pazar/contract'
import { INVITATION_MAX_DAYS } from '@pazar/contract/limits'
import { MEMBER_ROLES } from '@pazar/contract/permissions'
import { formatDate } from '@pazar/words'
import { DismissedError } from '../../api/api-error.ts'
import { changeRole, inviteMember } from '../../api/members.ts'
import { useAccount } from '../../api/session.ts'
import { Failed } from '../../parts/failed.tsx'
import { Time } from '../../parts/time.tsx'
import { useAction } from '../../parts/use-action.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Choice } from '../../ui/field.tsx'
import { locale, words } from '../../ui/language.ts'
import { Cell, HeadCell, ROW, Table } from '../../ui/table.tsx'
import type { NarrowPosition } from '../../ui/table.tsx'
import { toast } from '../../ui/toasts.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { toSentText } from './sent-text.ts'

const DAY_MS = 86_400_000

export interface MemberTableProps {
  projectId: string
  members: readonly MemberView[]
  transfer: TransferView | null
  canManage: boolean
}

export function MemberTable({ projectId, members, transfer, canManage }: MemberTableProps) {
  const { members: text } = words()
  const { columns } = text
  const { email: ownEmail } = useAccount()
  const [removing, setRemoving] = useState<MemberView | null>(null)
  const [error, setError] = useState<unknown>(null)
  // Role changes are saved one at a time. A role that is chosen during a request is saved after that request.
  const lastChange = useRef<Promise<void>>(Promise.resolve())
  const saveRole = async (member: MemberView, role: MemberRole) => {
    setError(null)
    try {
      await changeRole(projectId, member, role)
      toast(text.roleSaved)
    } catch (thrown) {
      if (!(thrown instanceof DismissedError)) setError(thrown)
    }
  }
  const chooseRole = (member: MemberView, role: MemberRole) => {
    lastChange.current = lastChange.current.then(() => saveRole(member, role))
  }
  // The new invitation has the same role and replaces the earlier one.
  const resending = useAction(async ({ email, role }: MemberView) => {
    if (role !== 'owner') await inviteMember(projectId, email, role)
    toast(toSentText(email, transfer))
  })
  const failure = error ?? resending.error
  const isManaged = ({ email, role }: MemberView) => canManage && role !== 'owner' && email !== ownEmail
  const canAct = members.some(isManaged)
  return (
    <>
      {failure !== null && <Failed error={failure} />}
      <Table label={text.title}>
        <thead>
          <tr>
            <HeadCell>{columns.person}</HeadCell>
            <HeadCell>{columns.role}</HeadCell>
            <HeadCell>{columns.since}</HeadCell>
            {canAct && <HeadCell right>{columns.action}</HeadCell>}
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <tr
              key={`${member.email} ${member.state}`}
              className={classNames(ROW, 'max-md:grid-cols-[minmax(0,1fr)_auto]')}
            >
              <MemberCells
                member={member}
                canChange={isManaged(member)}
                onRole={(role) => chooseRole(member, role)}
              />
              {canAct && (
                <Cell
                  label={columns.action}
                  narrow={toActionPosition(member, isManaged(member))}
                  right
                  className="max-md:self-center"
                >
                  {isManaged(member) && (
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
          ))}
        </tbody>
      </Table>
      {removing && <RemoveDialog projectId={projectId} member={removing} onClose={() => setRemoving(null)} />}
    </>
  )
}

/** On a phone, the two buttons of an invitation need the whole width. */
function toActionPosition({ state }: MemberView, canManage: boolean): NarrowPosition {
  if (!canManage) return 'hidden'
  return state === 'invited' ? 'whole' : 'right'
}

interface MemberCellsProps {
  member: MemberView
  canChange: boolean
  onRole: (role: MemberRole) => void
}

/** On a phone, the date is small print below the person, above the role. */
function MemberCells({ member, canChange, onRole }: MemberCellsProps) {
  const { members: text } = words()
  const { columns } = text
  const { email: ownEmail } = useAccount()
  const { email, role, state, since } = member
  return (
    <>
      <Cell
        label={columns.person}
        narrow="whole"
        className="font-strong max-md:-order-2 max-md:pb-0 max-md:text-base"
      >
        <span className="wrap-anywhere">{email}</span>
        {email === ownEmail && <span className="font-normal text-muted"> ({text.you})</span>}
      </Cell>
      <Cell
        label={columns.role}
        narrow={state === 'invited' ? 'whole' : 'left'}
        className="max-md:self-center"
      >
        <span className="inline-flex flex-wrap items-center gap-2 xl:flex-nowrap">
          {canChange && role !== 'owner' ? (
            <Choice
              hideLabel
              className="min-w-40"
              label={text.roleOf(email)}
              value={role}
              options={MEMBER_ROLES.map((value) => ({ value, label: text.roles[value] }))}
              onChoice={onRole}
            />
          ) : (
            <span className="whitespace-nowrap">{text.roles[role]}</span>
          )}
          {state === 'invited' && <Badge tone="info" text={text.invited} />}
        </span>
      </Cell>
      <Cell
        label={columns.since}
        narrow="whole"
        className="max-md:-order-1 max-md:pt-0 max-md:text-xs max-md:text-muted md:whitespace-nowrap"
      >
        {state === 'invited' ? text.invited : <span className="md:hidden">{columns.since}</span>}{' '}
        <Time at={since} />
        {state === 'invited' && <LastDay sentAt={since} />}
      </Cell>
    </>
  )
}

function LastDay({ sentAt }: { sentAt: string }) {
  const { timeZone } = useAccount()
  const end = new Date(Date.parse(sentAt) + INVITATION_MAX_DAYS * DAY_MS)
  return (
    <span className="text-xs text-muted max-md:before:content-['_·_'] md:block">
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
    <span className="flex flex-wrap gap-2 md:justify-end xl:flex-nowrap xl:whitespace-nowrap">
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
