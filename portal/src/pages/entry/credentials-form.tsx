// Both doors ask for the same two things and lead to the same place.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { AccountView } from '@pazar/contract'
import { showTheme } from '../../api/account.ts'
import { toFieldTexts } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { tellSignedIn } from '../../api/session.ts'
import { locale, words } from '../../app/language.ts'
import { Button } from '../../ui/button.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import { useForm } from '../../ui/use-form.ts'
import { EmailField } from './email-field.tsx'
import { useEmailDraft } from './use-email-draft.ts'

export interface CredentialsFormProps {
  isNew?: boolean
  /** Where the person was going. */
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
      { gated: false },
    )
    tellSignedIn(account)
    draft.done({ email })
    showTheme(account.theme)
    // Back shall not lead to the form again.
    if (next) location.replace(next)
    else await navigate({ to: '/projects', replace: true })
  })
  const wrong = toFieldTexts(error)
  return (
    <>
      <Refusal error={error} />
      <form className="grid gap-4" onSubmit={onSubmit}>
        <EmailField draft={draft} error={wrong['email']} />
        <PasswordField
          label={entry.password}
          value={password}
          onText={setPassword}
          autoComplete={isNew ? 'new-password' : 'current-password'}
          required
          hint={isNew && entry.passwordHint}
          error={wrong['password']}
        />
        <Button kind="main" type="submit" busy={busy}>
          {isNew ? entry.signUp.submit : entry.signIn.submit}
        </Button>
      </form>
    </>
  )
}
