// What gives access to the account: the password, sessions, known browsers and API tokens.
import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { deviceList, sessionList } from '@pazar/contract'
import { call } from '../../../api/call.ts'
import { useWorkingTokenCount } from '../../../api/tokens.ts'
import { Failed } from '../../../parts/failed.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { securityWords, words } from '../../../ui/language.ts'
import { toast } from '../../../ui/toasts.tsx'

export function AccessCard() {
  return (
    <div className="grid divide-y divide-line rounded-card border border-line bg-raised">
      <Password />
      <Sessions />
      <Devices />
      <Tokens />
    </div>
  )
}

interface CountRowProps {
  title: string
  text: string
  count?: string | null
  error?: unknown
  children: ReactNode
}

function CountRow({ title, text, count = null, error = null, children }: CountRowProps) {
  return (
    <section className="grid gap-x-8 gap-y-3 p-4 sm:p-6 md:grid-cols-[1fr_auto] md:items-center">
      <div className="grid gap-1">
        <h2 className="text-base font-strong">{title}</h2>
        <p className="max-w-2xl text-sm text-muted">{text}</p>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3 md:gap-6">
        <p className="min-h-6 font-medium">{count}</p>
        {children}
      </div>
      {error !== null && <Failed error={error} />}
    </section>
  )
}

/** The password has a row here, because some mails advise a new password and have a link to this page. */
function Password() {
  const { title, submit } = words().account.password
  return (
    <CountRow title={title} text={securityWords().password.text}>
      <Link to="/account" className={buttonClass()}>
        {submit}
      </Link>
    </CountRow>
  )
}

function Sessions() {
  const { sessions: text } = securityWords()
  const { data, error } = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) =>
      call<(typeof sessionList)['_output']>('/portal/api/sessions', undefined, { signal }),
  })
  return (
    <CountRow
      title={text.title}
      text={text.text}
      count={data ? text.count(data.sessions.length) : null}
      error={error}
    >
      <Link to="/account/sessions" className={buttonClass()}>
        {text.open}
      </Link>
    </CountRow>
  )
}

function Devices() {
  const { devices: text } = securityWords()
  const { data, error, refetch } = useQuery({
    queryKey: ['devices'],
    queryFn: ({ signal }) =>
      call<(typeof deviceList)['_output']>('/portal/api/devices', undefined, { signal }),
  })
  const forgetting = useAction(async () => {
    const { count } = await call<{ count: number }>('/portal/api/devices/forget', {})
    toast(text.forgotten(count))
    await refetch()
  })
  const otherDeviceCount = data?.devices.filter(({ current }) => !current).length ?? 0
  return (
    <CountRow
      title={text.title}
      text={text.text}
      count={data ? text.count(data.devices.length) : null}
      error={error ?? forgetting.error}
    >
      {otherDeviceCount > 0 && (
        <Button busy={forgetting.busy} onClick={() => void forgetting.run()}>
          {text.forget}
        </Button>
      )}
    </CountRow>
  )
}

function Tokens() {
  const { tokens: text } = securityWords()
  const { count, error } = useWorkingTokenCount()
  return (
    <CountRow
      title={text.title}
      text={text.text}
      count={count === null ? null : text.count(count)}
      error={error}
    >
      <Link to="/account/tokens" className={buttonClass()}>
        {text.open}
      </Link>
    </CountRow>
  )
}
