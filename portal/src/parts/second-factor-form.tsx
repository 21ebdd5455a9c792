// Asks for a second factor: a passkey, the code of the authenticator app, or a recovery code.
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { SecondFactor } from '@pazar/contract'
import { hasCode } from '../api/api-error.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { entryWords } from '../ui/language.ts'
import { useForm } from '../ui/use-form.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { FormError } from './form-error.tsx'
import { useWaitMs } from './use-wait.ts'

export interface SecondFactorFormProps {
  factors: readonly SecondFactor[]
  submit: string
  onCode: (code: string) => Promise<void>
  onPasskey: () => Promise<void>
  /** If true, the text that asks for the app's code also says that the password was correct. */
  isSignIn?: boolean
  children?: ReactNode
}

function isWrongCode(error: unknown): boolean {
  return hasCode(error, 'invalid_credentials')
}

/**
 * If the account has a passkey but no app, the passkey comes first. The field for recovery codes then opens on request.
 */
export function SecondFactorForm(props: SecondFactorFormProps) {
  const { factors, submit, onCode, onPasskey, isSignIn = false, children } = props
  const { secondFactor: text } = entryWords()
  const [hasApp, hasPasskey, hasRecovery] = (['totp', 'passkey', 'recovery'] as const).map((factor) =>
    factors.includes(factor),
  )
  const [codeKind, setCodeKind] = useState<CodeKind | null>(hasApp ? 'app' : hasPasskey ? null : 'recovery')
  const otherKind = codeKind === 'recovery' ? 'app' : 'recovery'
  return (
    <div className="grid gap-4">
      {codeKind ? (
        <CodeForm
          key={codeKind}
          kind={codeKind}
          text={isSignIn ? text.text : text.confirmText}
          submit={submit}
          onCode={onCode}
        />
      ) : (
        <p>{text.passkeyText}</p>
      )}
      {hasPasskey && codeKind && <Or />}
      {hasPasskey && (
        <PasskeyButton kind={codeKind ? 'second' : 'main'} label={text.passkey} onUse={onPasskey} />
      )}
      {hasRecovery && (otherKind === 'recovery' || hasApp) && (
        <p className="flex flex-wrap items-center gap-x-2">
          {otherKind === 'recovery' && <span className="text-muted">{text.lost}</span>}
          <button
            type="button"
            className="min-h-11 text-accent underline underline-offset-4"
            onClick={() => setCodeKind(otherKind)}
          >
            {otherKind === 'app' ? text.useApp : text.useRecovery}
          </button>
        </p>
      )}
      <div className="-mt-2 flex flex-wrap gap-2 empty:hidden">{children}</div>
    </div>
  )
}

export function Or() {
  return (
    <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {entryWords().secondFactor.or}
    </p>
  )
}

type CodeKind = 'app' | 'recovery'

interface CodeFormProps extends Pick<SecondFactorFormProps, 'submit' | 'onCode'> {
  kind: CodeKind
  text: string
}

function CodeForm({ kind, text: appText, submit, onCode }: CodeFormProps) {
  const { secondFactor: text } = entryWords()
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
      <p>{isRecovery ? text.recoveryText : appText}</p>
      {!isWrongCode(error) && <FormError error={error} />}
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
        className={
          isRecovery ? undefined : '[&_input]:text-center [&_input]:text-lg [&_input]:tracking-[0.3em]'
        }
        autoFocus
        required
        error={isWrongCode(error) ? (isRecovery ? text.wrongRecovery : text.wrong) : null}
      />
      <Button kind="main" type="submit" busy={busy} disabled={isLocked}>
        {submit}
      </Button>
    </form>
  )
}
