// The two dialogs that can open over any page: sign in again, and confirm it is you. Closing one changes nothing.
import { useRef, useState, useSyncExternalStore } from 'react'
import type { AccountView } from '@pazar/contract'
import { call } from '../api/call.ts'
import { gateStore, settleGate } from '../api/gates.ts'
import type { Gate } from '../api/gates.ts'
import { findAccount, signInUrl, announceSignIn } from '../api/session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { FormError } from '../parts/form-error.tsx'
import { useForm } from '../ui/use-form.ts'
import { useWaitMs } from '../parts/use-wait.ts'
import { allowLeaving } from '../ui/drafts.ts'
import { words } from '../ui/language.ts'

export function Gates() {
  const gate = useSyncExternalStore(gateStore.subscribe, gateStore.current)
  return gate === null ? null : <GateDialog key={gate} gate={gate} />
}

async function prove(gate: Gate, email: string, password: string): Promise<void> {
  const options = { asksForSignIn: false }
  if (gate === 'step-up') return call('/portal/api/step-up', { password }, options)
  const { account } = await call<{ account: AccountView }>(
    '/portal/api/sign-in',
    { email, password },
    options,
  )
  announceSignIn(account)
}

function GateDialog({ gate }: { gate: Gate }) {
  const { frame, entry } = words()
  const text = gate === 'step-up' ? frame.stepUp : frame.signInAgain
  const email = findAccount()?.email ?? ''
  const [password, setPassword] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const { error, busy, onSubmit } = useForm(async () => {
    try {
      await prove(gate, email, password)
      settleGate(true)
    } catch (thrown) {
      setPassword('')
      // Also because the button may be disabled now.
      form.current?.querySelector<HTMLElement>('input:not([readonly])')?.focus()
      throw thrown
    }
  })
  const isLocked = useWaitMs(error) > 0
  return (
    <Dialog title={text.title} onClose={() => settleGate(false)}>
      <p>{text.text}</p>
      <FormError error={error} />
      <form ref={form} className="grid gap-4" onSubmit={onSubmit}>
        <Field label={entry.email} value={email} readOnly autoComplete="username" />
        <PasswordField
          label={entry.password}
          value={password}
          onText={setPassword}
          autoComplete="current-password"
          autoFocus
          required
        />
        <div className="flex flex-wrap gap-2">
          <Button kind="main" type="submit" busy={busy} disabled={isLocked}>
            {text.submit}
          </Button>
          <Button onClick={() => settleGate(false)}>{frame.cancel}</Button>
          {gate === 'sign-in' && (
            <Button
              kind="quiet"
              onClick={() => {
                allowLeaving()
                location.assign(signInUrl())
              }}
            >
              {frame.signInAgain.other}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}
