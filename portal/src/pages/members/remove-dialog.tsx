import { Link } from '@tanstack/react-router'
import type { MemberView } from '@pazar/contract'
import { removeMember } from '../../api/members.ts'
import { closeAfterRemoval } from '../../parts/close-after-removal.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { useMode } from '../../parts/mode.ts'
import { useAction } from '../../parts/use-action.ts'
import { words } from '../../ui/language.ts'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toasts.tsx'

export interface RemoveDialogProps {
  projectId: string
  member: MemberView
  onClose: () => void
}

export function RemoveDialog({ projectId, member, onClose }: RemoveDialogProps) {
  const { removeDialog, cancelDialog } = words().members
  const text = member.state === 'invited' ? cancelDialog : removeDialog
  const mode = useMode()
  const { run, busy, error } = useAction(async () => {
    await removeMember(projectId, member)
    toast(text.done)
    closeAfterRemoval(onClose)
  })
  return (
    <ConfirmDialog
      title={text.title}
      submit={text.submit}
      busy={busy}
      error={error}
      onConfirm={() => void run()}
      onClose={onClose}
    >
      <p className="wrap-anywhere">{text.text(member.email)}</p>
      {member.knowsSecret && (
        <Notice tone="warn" live={false}>
          {removeDialog.knowsSecret}{' '}
          <Link
            to="/projects/$id/keys"
            params={{ id: projectId }}
            search={{ mode }}
            className="underline underline-offset-4"
          >
            {removeDialog.toKeys}
          </Link>
        </Notice>
      )}
    </ConfirmDialog>
  )
}
