import type { MemberRole, TransferView } from '@pazar/contract'
import { MEMBER_ROLES } from '@pazar/contract/permissions'
import { toFieldErrors } from '../../api/api-error.ts'
import { inviteMember } from '../../api/members.ts'
import { FormError } from '../../parts/form-error.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useDraft } from '../../ui/drafts.ts'
import { Choice, Field } from '../../ui/field.tsx'
import { words } from '../../ui/language.ts'
import { toast } from '../../ui/toasts.tsx'
import { useForm } from '../../ui/use-form.ts'
import { toSentText } from './sent-text.ts'

const EMPTY: { email: string; role: MemberRole } = { email: '', role: 'developer' }

export function InviteCard({ projectId, transfer }: { projectId: string; transfer: TransferView | null }) {
  const { invite, roles, may } = words().members
  const draft = useDraft(`invite-${projectId}`, EMPTY)
  const { email, role } = draft.values
  const { error, busy, onSubmit } = useForm(async () => {
    await inviteMember(projectId, email.trim(), role)
    draft.resetTo({ ...EMPTY, role })
    toast(toSentText(email.trim(), transfer))
  })
  return (
    <Card title={invite.title}>
      <FormError error={error} fields={['email']} />
      <form className="grid gap-4" onSubmit={onSubmit}>
        <Field
          label={invite.email}
          type="email"
          value={email}
          onText={(text) => draft.set({ email: text })}
          autoComplete="off"
          required
          error={toFieldErrors(error)['email']}
        />
        <Choice
          label={invite.role}
          value={role}
          options={MEMBER_ROLES.map((value) => ({ value, label: roles[value] }))}
          onChoice={(chosen) => draft.set({ role: chosen })}
        />
        <p className="text-sm text-muted">{may[role]}</p>
        <div>
          <Button kind="main" type="submit" busy={busy}>
            {invite.submit}
          </Button>
        </div>
      </form>
    </Card>
  )
}
