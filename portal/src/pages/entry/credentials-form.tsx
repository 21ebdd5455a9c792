// The form of sign-in and sign-up.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { AccountView, SecondFactor } from '@pazar/contract'
import { showTheme } from '../../api/account.ts'
import { toFieldErrors } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { signInWithPassword } from '../../api/factors.ts'
import { announceSignIn } from '../../api/session.ts'
import { locale, entryWords } from '../../ui/language.ts'
import { Button } from '../../ui/button.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { FormError } from '../../parts/form-error.tsx'
import { useForm } from '../../ui/use-form.ts'
import { EmailField } from './email-field.tsx'
import { useEmailDraft } from './use-email-draft.ts'

export interface CredentialsFormProps {
  isNew?: boolean
  next: string | undefined
  /** The token of a mailed invitation, for a new account. */
  invitation?: string
  /** Called if the password was right, but one of `factors` is still needed. */
  onSecondFactor?: (factors: SecondFactor[], email: string) => void
}

export function useFinishSignIn(next: string | undefined): (account: AccountView) => Promise<void> {
  const navigate = useNavigate()
  return async (account) => {
    announceSignIn(account)
    showTheme(account.theme)
    // Replaces the history entry, so that Back does not return to the form.
    if (next) location.replace(next)
    else await navigate({ to: '/projects', replace: true })
  }
}

export function CredentialsForm({ isNew = false, next, invitation, onSecondFactor }: CredentialsFormProps) {
  const { entry } = entryWords()
  const finishSignIn = useFinishSignIn(next)
  const draft = useEmailDraft()
  const { email } = draft.values
  const [password, setPassword] = useState('')
  const { error, busy, onSubmit } = useForm(async () => {
    const credentials = { email: email.trim(), password }
    const answer = isNew
      ? await call<{ account: AccountView }>(
          '/portal/api/sign-up',
          { ...credentials, locale, ...(invitation && { invitation }) },
          { asksForSignIn: false },
        )
      : await signInWithPassword(credentials.email, credentials.password)
    draft.resetTo({ email })
    if ('secondFactor' in answer) onSecondFactor?.(answer.secondFactor, email)
    else await finishSignIn(answer.account)
  })
  const fieldErrors = toFieldErrors(error)
  return (
    <>
      <FormError error={error} fields={['email', 'password']} />
      <form className="grid gap-4" onSubmit={onSubmit}>
        <EmailField draft={draft} error={fieldErrors['email']} />
        <PasswordField
          label={entry.password}
          value={password}
          onText={setPassword}
          autoComplete={isNew ? 'new-password' : 'current-password'}
          required
          hint={isNew && !fieldErrors['password'] && entry.passwordHint}
          error={fieldErrors['password']}
        />
        <Button kind="main" type="submit" busy={busy}>
          {isNew ? entry.signUp.submit : entry.signIn.submit}
        </Button>
      </form>
    </>
  )
}
