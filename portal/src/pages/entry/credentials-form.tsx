// The form of sign-in and sign-up. Both ask for email and password, and afterwards open the page the visitor wanted.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { AccountView } from '@pazar/contract'
import { showTheme } from '../../api/account.ts'
import { toFieldErrors } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { announceSignIn } from '../../api/session.ts'
import { locale, words } from '../../ui/language.ts'
import { Button } from '../../ui/button.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { FormError } from '../../parts/form-error.tsx'
import { useForm } from '../../ui/use-form.ts'
import { EmailField } from './email-field.tsx'
import { useEmailDraft } from './use-email-draft.ts'

export interface CredentialsFormProps {
  isNew?: boolean
  /** The page to open afterwards. */
  next: string | undefined
}

export function CredentialsForm({ isNew = false, next }: CredentialsFormProps) {
  const { entry } = words()
  const navigate = useNavigate()
  const draft = useEmailDraft()
  const { email } = draft.values
  const [password, setPassword] = useState('')
  const { error, busy, onSubmit } = useForm(async () => {
    const given = { email: email.trim(), password }
    const { account } = await call<{ account: AccountView }>(
      isNew ? '/portal/api/sign-up' : '/portal/api/sign-in',
      isNew ? { ...given, locale } : given,
      { asksForSignIn: false },
    )
    announceSignIn(account)
    draft.discard({ email })
    showTheme(account.theme)
    // The form's history entry is replaced, so that Back does not return to it.
    if (next) location.replace(next)
    else await navigate({ to: '/projects', replace: true })
  })
  const fieldErrors = toFieldErrors(error)
  return (
    <>
      <FormError error={error} />
      <form className="grid gap-4" onSubmit={onSubmit}>
        <EmailField draft={draft} error={fieldErrors['email']} />
        <PasswordField
          label={entry.password}
          value={password}
          onText={setPassword}
          autoComplete={isNew ? 'new-password' : 'current-password'}
          required
          hint={isNew && entry.passwordHint}
          error={fieldErrors['password']}
        />
        <Button kind="main" type="submit" busy={busy}>
          {isNew ? entry.signUp.submit : entry.signIn.submit}
        </Button>
      </form>
    </>
  )
}
