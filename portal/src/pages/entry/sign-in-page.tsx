import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { AccountView } from '@pazar/contract'
import { toFieldTexts } from '../../api/api-error.ts'
import { showTheme } from '../../api/account.ts'
import { call } from '../../api/call.ts'
import { tellSignedIn } from '../../api/session.ts'
import { EntryFrame } from '../../app/entry-frame.tsx'
import { facts } from '../../app/facts.ts'
import { words } from '../../app/language.ts'
import { parseNext } from '../../app/search.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { useEmailDraft } from './use-email-draft.ts'
import { Refusal } from '../../ui/refusal.tsx'
import { useForm } from '../../ui/use-form.ts'

export function Page() {
  const { entry } = words()
  const { next } = parseNext(useSearch({ from: '/sign-in' }))
  const navigate = useNavigate()
  const draft = useEmailDraft()
  const { email } = draft.values
  const [password, setPassword] = useState('')
  const { error, busy, onSubmit } = useForm(async () => {
    const { account } = await call<{ account: AccountView }>(
      '/portal/api/sign-in',
      { email: email.trim(), password },
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
    <EntryFrame title={entry.signIn.title}>
      <Refusal error={error} />
      <form className="grid gap-4" onSubmit={onSubmit}>
        <Field
          label={entry.email}
          value={email}
          onText={(text) => draft.set({ email: text })}
          type="email"
          autoComplete="username"
          required
          autoFocus
          error={wrong['email']}
        />
        <PasswordField
          label={entry.password}
          value={password}
          onText={setPassword}
          autoComplete="current-password"
          required
          error={wrong['password']}
        />
        <Button kind="main" type="submit" busy={busy}>
          {entry.signIn.submit}
        </Button>
      </form>
      <p>
        <Link to="/forgot" className="text-accent underline underline-offset-4">
          {entry.signIn.forgot}
        </Link>
      </p>
      {facts.signUpOpen && (
        <p className="text-muted">
          {entry.signIn.noAccount}{' '}
          <Link
            to="/sign-up"
            search={next ? { next } : {}}
            className="text-accent underline underline-offset-4"
          >
            {entry.signIn.create}
          </Link>
        </p>
      )}
    </EntryFrame>
  )
}
