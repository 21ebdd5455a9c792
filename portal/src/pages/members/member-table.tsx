import { useState } from 'react'
import type { MemberRole, MemberView } from '@pazar/contract'
import { MEMBER_ROLES } from '@pazar/contract/permissions'
import { changeRole } from '../../api/members.ts'
import { useAccount } from '../../api/session.ts'
import { Failed } from '../../parts/failed.tsx'
import { Time } from '../../parts/time.tsx'
import { useAction } from '../../parts/use-action.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/field.tsx'
import { words } from '../../ui/language.ts'
import { Cell, HeadCell, ROW, Table } from '../../ui/table.tsx'
import { toast } from '../../ui/toasts.tsx'
import { RemoveDialog } from './remove-dialog.tsx'

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
  return (
    <>
      {error !== null && <Failed error={error} />}
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
                    <span className="inline-flex flex-wrap items-center gap-2">
                      {text.roles[role]}
                      {state === 'invited' && <Badge tone="info" text={text.invited} />}
                    </span>
                  )}
                </Cell>
                <Cell label={state === 'invited' ? text.invited : columns.since} narrow="right" named>
                  <Time at={since} />
                </Cell>
                {canManage && (
                  <Cell
                    label={columns.action}
                    narrow={isManaged ? 'whole' : 'hidden'}
                    right
                    className="max-md:pt-2 max-md:text-right!"
                  >
                    {isManaged && (
                      <Button small kind="danger" onClick={() => setRemoving(member)}>
                        {state === 'invited' ? text.cancel : text.remove}
                        <span className="sr-only">{email}</span>
                      </Button>
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
