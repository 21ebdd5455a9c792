import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { hasCode, toFieldErrors } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { EntryFrame } from '../../parts/entry-frame.tsx'
import { keepHashForLanguageSwitch, entryWords } from '../../ui/language.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { useMailedToken } from './mailed-token.ts'
import { FormError } from '../../parts/form-error.tsx'
import { useForm } from '../../ui/use-form.ts'

export function Page() {
  const { confirmEmail, forgot, reset, newPassword, passwordHint, signIn } = entryWords().entry
  const token = useMailedToken()
  const [password, setPassword] = useState('')
  const [done, setDone] = useState(false)
  useEffect(() => {
    keepHashForLanguageSwitch(token === null || done ? '' : `#token=${token}`)
    return () => keepHashForLanguageSwitch('')
  }, [token, done])
  const { error, busy, onSubmit } = useForm(async () => {
    await call('/portal/api/password/reset', { token, password }, { asksForSignIn: false })
    setDone(true)
  })
  // True if the link no longer works. Perhaps an earlier request changed the password, but its response was lost.
  const isOver = hasCode(error, 'token_expired')
  if (done) {
    return (
      <EntryFrame title={reset.title}>
        <Notice tone="ok" title={reset.doneTitle}>
          {reset.doneText}
        </Notice>
        <Link to="/sign-in" className={buttonClass('main')}>
          {signIn.submit}
        </Link>
      </EntryFrame>
    )
  }
  return (
    <EntryFrame title={reset.title}>
      {!isOver && <FormError error={error} fields={['password']} />}
      {token === null || isOver ? (
        <>
          <Notice tone="warn" title={isOver ? confirmEmail.overTitle : reset.noTokenTitle}>
            {isOver ? reset.overText : reset.noToken}
          </Notice>
          <Link to="/forgot" className={buttonClass('main')}>
            {reset.askAgain}
          </Link>
        </>
      ) : (
        <form className="grid gap-4" onSubmit={onSubmit}>
          <PasswordField
            label={newPassword}
            value={password}
            onText={setPassword}
            autoComplete="new-password"
            required
            autoFocus
            hint={passwordHint}
            error={toFieldErrors(error)['password']}
          />
          <Notice tone="warn" live={false}>
            {reset.tokensWarning}
          </Notice>
          <Button kind="main" type="submit" busy={busy}>
            {reset.submit}
          </Button>
        </form>
      )}
      <p>
        <Link to="/sign-in" className="text-accent underline underline-offset-4">
          {forgot.back}
        </Link>
      </p>
    </EntryFrame>
  )
}
