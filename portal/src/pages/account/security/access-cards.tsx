// What gives access to the account: sessions, known browsers and API tokens.
import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { deviceList, sessionList } from '@pazar/contract'
import { call } from '../../../api/call.ts'
import { useWorkingTokenCount } from '../../../api/tokens.ts'
import { Failed } from '../../../parts/failed.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { words } from '../../../ui/language.ts'
import { toast } from '../../../ui/toasts.tsx'

export function AccessCards() {
  return (
    <div className="grid gap-6 lg:grid-cols-3">
      <SessionsCard />
      <DevicesCard />
      <TokensCard />
    </div>
  )
}

interface CountCardProps {
  title: string
  text: string
  /** Null while loading. */
  count: string | null
  error?: unknown
  children: ReactNode
}

function CountCard({ title, text, count, error = null, children }: CountCardProps) {
  return (
    <Card title={title} text={text} className="content-start">
      {error !== null && <Failed error={error} />}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-h-6 font-medium">{count}</p>
        {children}
      </div>
    </Card>
  )
}

function SessionsCard() {
  const { sessions: text } = words().security
  const { data, error } = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) =>
      call<(typeof sessionList)['_output']>('/portal/api/sessions', undefined, { signal }),
  })
  return (
    <CountCard
      title={text.title}
      text={text.text}
      count={data ? text.count(data.sessions.length) : null}
      error={error}
    >
      <Link to="/account/sessions" className={buttonClass()}>
        {text.open}
      </Link>
    </CountCard>
  )
}

function DevicesCard() {
  const { devices: text } = words().security
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
    <CountCard
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
    </CountCard>
  )
}

function TokensCard() {
  const { tokens: text } = words().security
  return (
    <CountCard title={text.title} text={text.text} count={text.count(useWorkingTokenCount())}>
      <Link to="/account/tokens" className={buttonClass()}>
        {text.open}
      </Link>
    </CountCard>
  )
}
