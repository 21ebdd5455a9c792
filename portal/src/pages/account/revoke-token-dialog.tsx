import { useState } from 'react'
import type { ApiTokenView } from '@pazar/contract'
import { GivenUp } from '../../api/api-error.ts'
import { revokeToken } from '../../api/tokens.ts'
import { words } from '../../app/language.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failed } from '../../ui/states.tsx'
import { toast } from '../../ui/toasts.tsx'

export function RevokeTokenDialog({ token, onClose }: { token: ApiTokenView; onClose: () => void }) {
  const { revokeDialog: text, revoked } = words().account.tokens
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)

  async function revoke(): Promise<void> {
    setBusy(true)
    setError(null)
    try {
      await revokeToken(token.id)
      toast(revoked)
      onClose()
    } catch (refusal) {
      if (!(refusal instanceof GivenUp)) setError(refusal)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title={text.title} onClose={onClose}>
      <p className="wrap-anywhere">{text.text(token.name)}</p>
      {error !== null && <Failed error={error} />}
      <div className="flex flex-wrap gap-2">
        <Button kind="danger" busy={busy} onClick={() => void revoke()}>
          {text.submit}
        </Button>
        <Button onClick={onClose}>{words().frame.cancel}</Button>
      </div>
    </Dialog>
  )
}
