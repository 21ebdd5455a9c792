// Language, look and time zone, e-mail and password.
import { useEffect, useState } from 'react'
import { toFieldTexts } from '../../api/api-error.ts'
import { changeAccount } from '../../api/account.ts'
import { call } from '../../api/call.ts'
import { reloadSession, useAccount } from '../../api/session.ts'
import { useDraft } from '../../app/drafts.ts'
import { words } from '../../app/language.ts'
import { LanguageSwitch, ThemeChoice } from '../../app/person-links.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import { useForm } from '../../ui/use-form.ts'
import { AccountTabs } from './account-tabs.tsx'
import { CloseCard } from './close-card.tsx'
import { PasswordCard } from './password-card.tsx'

export function Page() {
  // The address may have been confirmed, or the look changed, on another device.
  useEffect(() => void reloadSession(), [])
  return (
    <>
      <PageHead title={words().account.title} />
      <AccountTabs />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <LookCard />
        <div className="grid gap-6">
          <EmailCard />
          <PasswordCard />
          <CloseCard />
        </div>
      </div>
    </>
  )
}

function LookCard() {
  const { account, frame } = words()
  const { timeZone } = useAccount()
  const [error, setError] = useState<unknown>(null)
  const zones = [...new Set([timeZone, 'Europe/Podgorica', ...Intl.supportedValuesOf('timeZone')])]
  return (
    <Card title={account.look}>
      <Refusal error={error} />
      <div className="grid gap-1">
        <p className="text-sm font-medium">{frame.language}</p>
        <LanguageSwitch label={account.look} />
      </div>
      <ThemeChoice />
      <Choice
        label={account.timeZone}
        value={timeZone}
        options={zones.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
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
    await call('/portal/api/email', { email: draft.values.email.trim() })
    setSent(true)
    draft.done({ email: '' })
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
      <Refusal error={error} />
      {sent && <Notice tone="ok">{text.sent}</Notice>}
      <form className="grid gap-4" onSubmit={onSubmit}>
        <Field
          label={text.field}
          type="email"
          value={draft.values.email}
          onText={(email) => draft.set({ email })}
          autoComplete="email"
          required
          error={toFieldTexts(error)['email']}
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

/** Asking to change the address to the one it is sends its confirmation anew. */
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
      <Refusal error={error} />
      {sent && <Notice tone="ok">{text.sentAgain(email)}</Notice>}
      <Button small type="submit" busy={busy}>
        {text.sendAgain}
      </Button>
    </form>
  )
}
