import type { ApiTokenView } from '@pazar/contract'
import { revokeToken } from '../../api/tokens.ts'
import { closeAfterRemoval } from '../../parts/close-after-removal.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { useAction } from '../../parts/use-action.ts'
import { words } from '../../ui/language.ts'
import { toast } from '../../ui/toasts.tsx'

export function RevokeTokenDialog({ token, onClose }: { token: ApiTokenView; onClose: () => void }) {
  const { revokeDialog: text, revoked } = words().account.tokens
  const { run, busy, error } = useAction(async () => {
    await revokeToken(token.id)
    toast(revoked)
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
      <p className="wrap-anywhere">{text.text(token.name)}</p>
    </ConfirmDialog>
  )
}
