import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { toFieldErrors } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { EntryFrame } from '../../parts/entry-frame.tsx'
import { entryWords } from '../../ui/language.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { EmailField } from './email-field.tsx'
import { useEmailDraft } from './use-email-draft.ts'
import { FormError } from '../../parts/form-error.tsx'
import { useForm } from '../../ui/use-form.ts'

export function Page() {
  const { forgot } = entryWords().entry
  const draft = useEmailDraft()
  const { email } = draft.values
  const [sent, setSent] = useState(false)
  const { error, busy, onSubmit } = useForm(async () => {
    await call('/portal/api/password/forgot', { email: email.trim() }, { asksForSignIn: false })
    draft.resetTo({ email })
    setSent(true)
  })
  return (
    <EntryFrame title={forgot.title}>
      <FormError error={error} fields={['email']} />
      {sent ? (
        <>
          <Notice tone="ok" title={forgot.sentTitle}>
            {forgot.sentText(email.trim())}
          </Notice>
          <p className="text-sm text-muted">{forgot.notArrived}</p>
          <Button onClick={() => setSent(false)}>{forgot.otherEmail}</Button>
        </>
      ) : (
        <>
          <p className="text-muted">{forgot.text}</p>
          <form className="grid gap-4" onSubmit={onSubmit}>
            <EmailField draft={draft} error={toFieldErrors(error)['email']} />
            <Button kind="main" type="submit" busy={busy}>
              {forgot.submit}
            </Button>
          </form>
        </>
      )}
      <p>
        <Link to="/sign-in" className="text-accent underline underline-offset-4">
          {forgot.back}
        </Link>
      </p>
    </EntryFrame>
  )
}
