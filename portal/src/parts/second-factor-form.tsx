// Asks for a second factor: a passkey, the code of the authenticator app, or a recovery code. Browsers fill the code in, and pasting
// works, also with spaces.
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { SecondFactor } from '@pazar/contract'
import { ApiError } from '../api/api-error.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { words } from '../ui/language.ts'
import { useForm } from '../ui/use-form.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { FormError } from './form-error.tsx'
import { useWaitMs } from './use-wait.ts'

export interface SecondFactorFormProps {
  factors: readonly SecondFactor[]
  submit: string
  onCode: (code: string) => Promise<void>
  onPasskey: () => Promise<void>
  /** More buttons, beside the main one. */
  children?: ReactNode
}

function isWrong(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'invalid_credentials'
}

/** A passkey comes first, because it takes one press. Without an app, recovery codes are shown on request. */
export function SecondFactorForm({ onPasskey, ...form }: SecondFactorFormProps) {
  const { secondFactor: text } = words()
  const { factors, children } = form
  const [withCode, setWithCode] = useState(factors.includes('totp') || !factors.includes('passkey'))
  if (!factors.includes('passkey')) return <CodeForm {...form} />
  return (
    <div className="grid gap-4">
      <PasskeyButton kind="main" label={text.passkey} onUse={onPasskey} />
      {withCode ? (
        <CodeForm {...form} isSecondChoice />
      ) : (
        <div className="flex flex-wrap gap-2">
          {factors.includes('recovery') && (
            <Button kind="quiet" onClick={() => setWithCode(true)}>
              {text.useRecovery}
            </Button>
          )}
          {children}
        </div>
      )}
    </div>
  )
}

type CodeFormProps = Omit<SecondFactorFormProps, 'onPasskey'> & { isSecondChoice?: boolean }

function CodeForm({ factors, submit, onCode, children, isSecondChoice = false }: CodeFormProps) {
  const { secondFactor: text } = words()
  const [withRecovery, setWithRecovery] = useState(!factors.includes('totp'))
  const [code, setCode] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const { error, busy, onSubmit } = useForm(async () => {
    try {
      await onCode(code)
    } catch (thrown) {
      setCode('')
      form.current?.querySelector('input')?.focus()
      throw thrown
    }
  })
  const isLocked = useWaitMs(error) > 0
  const other = withRecovery ? text.useApp : text.useRecovery
  return (
    <form ref={form} className="grid gap-4" onSubmit={onSubmit}>
      <p>{withRecovery ? text.recoveryText : text.text}</p>
      {!isWrong(error) && <FormError error={error} />}
      <Field
        key={String(withRecovery)}
        label={withRecovery ? text.recoveryCode : text.code}
        value={code}
        onText={setCode}
        autoComplete={withRecovery ? 'off' : 'one-time-code'}
        inputMode={withRecovery ? 'text' : 'numeric'}
        autoCapitalize="off"
        spellCheck={false}
        maxLength={40}
        mono
        autoFocus={!isSecondChoice}
        required
        error={isWrong(error) ? text.wrong : null}
      />
      <div className="flex flex-wrap gap-2">
        <Button kind={isSecondChoice ? 'second' : 'main'} type="submit" busy={busy} disabled={isLocked}>
          {submit}
        </Button>
        {factors.includes('totp') && factors.includes('recovery') && (
          <Button kind="quiet" onClick={() => setWithRecovery(!withRecovery)}>
            {other}
          </Button>
        )}
        {children}
      </div>
    </form>
  )
}
