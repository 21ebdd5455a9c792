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

/** The text of a quiet button starts where the field above it does. */
export const FLUSH = '-ml-4 underline underline-offset-4'

export interface SecondFactorFormProps {
  factors: readonly SecondFactor[]
  submit: string
  onCode: (code: string) => Promise<void>
  onPasskey: () => Promise<void>
  /** More buttons, below the others. */
  children?: ReactNode
}

function isWrong(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'invalid_credentials'
}

/** The code comes first, then the passkey. Without an app, the passkey comes first and recovery codes are shown on request. */
export function SecondFactorForm({ factors, submit, onCode, onPasskey, children }: SecondFactorFormProps) {
  const { secondFactor: text } = words()
  const [hasApp, hasPasskey, hasRecovery] = (['totp', 'passkey', 'recovery'] as const).map((factor) =>
    factors.includes(factor),
  )
  const [codeKind, setCodeKind] = useState<CodeKind | null>(hasApp ? 'app' : hasPasskey ? null : 'recovery')
  const other = codeKind === 'recovery' ? 'app' : 'recovery'
  return (
    <div className="grid gap-4">
      {codeKind && <CodeForm key={codeKind} kind={codeKind} submit={submit} onCode={onCode} />}
      {hasPasskey && (
        <PasskeyButton kind={codeKind ? 'second' : 'main'} label={text.passkey} onUse={onPasskey} />
      )}
      <div className="flex flex-wrap gap-2">
        {hasRecovery && (other === 'recovery' || hasApp) && (
          <Button kind="quiet" className={FLUSH} onClick={() => setCodeKind(other)}>
            {other === 'app' ? text.useApp : text.useRecovery}
          </Button>
        )}
        {children}
      </div>
    </div>
  )
}

type CodeKind = 'app' | 'recovery'

interface CodeFormProps extends Pick<SecondFactorFormProps, 'submit' | 'onCode'> {
  kind: CodeKind
}

function CodeForm({ kind, submit, onCode }: CodeFormProps) {
  const { secondFactor: text } = words()
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
  const isRecovery = kind === 'recovery'
  return (
    <form ref={form} className="grid gap-4" onSubmit={onSubmit}>
      <p>{isRecovery ? text.recoveryText : text.text}</p>
      {!isWrong(error) && <FormError error={error} />}
      <Field
        label={isRecovery ? text.recoveryCode : text.code}
        value={code}
        onText={setCode}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoCapitalize="off"
        spellCheck={false}
        maxLength={40}
        mono
        autoFocus
        required
        error={isWrong(error) ? text.wrong : null}
      />
      <Button kind="main" type="submit" busy={busy} disabled={isLocked}>
        {submit}
      </Button>
    </form>
  )
}
