import { useEffect, useState } from 'react'
import { toFieldErrors } from '../../api/api-error.ts'
import { changeAccount } from '../../api/account.ts'
import { call } from '../../api/call.ts'
import { reloadSession, useAccount } from '../../api/session.ts'
import { useDraft } from '../../ui/drafts.ts'
import { words } from '../../ui/language.ts'
import { ThemeChoice } from '../../parts/theme-choice.tsx'
import { TimeZoneChoice } from '../../parts/time-zone-choice.tsx'
import { LanguageSwitch } from '../../parts/language-switch.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { FormError } from '../../parts/form-error.tsx'
import { useForm } from '../../ui/use-form.ts'
import { AccountTabs } from './account-tabs.tsx'
import { CloseCard } from './close-card.tsx'
import { PasswordCard } from './password-card.tsx'

export function Page() {
  // The email may have been confirmed, or the theme changed, on another device.
  useEffect(() => void reloadSession(), [])
  return (
    <>
      <PageHead title={words().account.title} text={words().account.purpose} />
      <AccountTabs />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <EmailCard />
          <PasswordCard />
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <AppearanceCard />
          <CloseCard />
        </div>
      </div>
    </>
  )
}

function AppearanceCard() {
  const { account, frame } = words()
  const { timeZone } = useAccount()
  const [error, setError] = useState<unknown>(null)
  return (
    <Card title={account.appearance}>
      <FormError error={error} />
      <div className="grid gap-1">
        <p className="text-sm font-medium">{frame.language}</p>
        <LanguageSwitch label={account.appearance} />
      </div>
      <ThemeChoice />
      <TimeZoneChoice
        label={account.timeZone}
        value={timeZone}
        onChoice={(value) => void changeAccount({ timeZone: value }).then(() => setError(null), setError)}
      />
      <p className="text-sm text-muted">{account.timeZoneHint}</p>
    </Card>
  )
}

function EmailCard() {
  const { email: text } = words().account
  const { email: current, emailConfirmed } = useAccount()
  const draft = useDraft('account-email', { email: '' })
  const [sent, setSent] = useState(false)
  const { error, busy, onSubmit } = useForm(async () => {
    setSent(false)
    await call('/portal/api/email', { email: draft.values.email.trim() })
    setSent(true)
    draft.resetTo({ email: '' })
  })
  return (
    <Card title={text.title}>
      <p className="wrap-anywhere">
        {text.current(current)}{' '}
        <Badge
          tone={emailConfirmed ? 'ok' : 'warn'}
          text={emailConfirmed ? text.confirmed : text.unconfirmed}
        />
      </p>
      {!emailConfirmed && <SendAgain email={current} />}
      <FormError error={error} fields={['email']} />
      {sent && <Notice tone="ok">{text.sent}</Notice>}
      <form className="grid gap-4" onSubmit={onSubmit}>
        <Field
          label={text.field}
          type="email"
          value={draft.values.email}
          onText={(email) => draft.set({ email })}
          autoComplete="email"
          required
          error={toFieldErrors(error)['email']}
        />
        <div>
          <Button type="submit" busy={busy}>
            {text.submit}
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** Requests a change of the email to the current address. The service then only sends a new confirmation link. */
function SendAgain({ email }: { email: string }) {
  const { email: text } = words().account
  const [sent, setSent] = useState(false)
  const { error, busy, onSubmit } = useForm(async () => {
    setSent(false)
    await call('/portal/api/email', { email })
    setSent(true)
  })
  return (
    <form className="grid justify-items-start gap-3" onSubmit={onSubmit}>
      <FormError error={error} />
      {sent && <Notice tone="ok">{text.sentAgain(email)}</Notice>}
      <Button small type="submit" busy={busy}>
        {text.sendAgain}
      </Button>
    </form>
  )
}
