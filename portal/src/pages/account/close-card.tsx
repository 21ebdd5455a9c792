import { useState } from 'react'
import type { FormEvent } from 'react'
import { GivenUp } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { leaveClosed, useAccount } from '../../api/session.ts'
import { words } from '../../app/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Failed } from '../../ui/states.tsx'

export function CloseCard() {
  const { close } = words().account
  const [asking, setAsking] = useState(false)
  return (
    <Card title={close.title} text={close.text}>
      <div>
        <Button kind="danger" onClick={() => setAsking(true)}>
          {close.submit}
        </Button>
      </div>
      {asking && <CloseDialog onClose={() => setAsking(false)} />}
    </Card>
  )
}

function CloseDialog({ onClose }: { onClose: () => void }) {
  const { close } = words().account
  const { email } = useAccount()
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      await call('/portal/api/account/close', { email: typed.trim() })
      leaveClosed()
    } catch (refusal) {
      if (!(refusal instanceof GivenUp)) setError(refusal)
      setBusy(false)
    }
  }
  return (
    <Dialog title={close.dialogTitle} onClose={() => !busy && onClose()}>
      <p>{close.dialogText}</p>
      {error !== null && <Failed error={error} />}
      <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
        <Field
          label={close.emailField}
          hint={close.typeEmail(email)}
          type="email"
          value={typed}
          onText={setTyped}
          autoComplete="off"
          required
        />
        <div className="flex flex-wrap gap-2">
          <Button
            kind="danger"
            type="submit"
            disabled={typed.trim().toLowerCase() !== email.toLowerCase()}
            busy={busy}
          >
            {close.submit}
          </Button>
          <Button disabled={busy} onClick={onClose}>
            {words().frame.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
