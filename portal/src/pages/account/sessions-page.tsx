import { useQuery } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import type { sessionList } from '@pazar/contract'
import { toBrowserName } from '@pazar/words'
import { call } from '../../api/call.ts'
import { words } from '../../ui/language.ts'
import { useAction } from '../../parts/use-action.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Time } from '../../parts/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { AccountTabs } from './account-tabs.tsx'
import { Browser } from './browser.tsx'

function DeviceIcon({ userAgent }: { userAgent: string | null }) {
  const Icon = /Mobi|Android/.test(userAgent ?? '') ? Smartphone : Monitor
  return <Icon aria-hidden className="size-5 shrink-0 text-muted" />
}

type Sessions = (typeof sessionList)['_output']

export function Page() {
  const { sessions: text, tabs } = words().account
  const { data, error, refetch } = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => call<Sessions>('/portal/api/sessions', undefined, { signal }),
  })
  const ending = useAction(async (id?: string) => {
    const body = id === undefined ? {} : { id }
    const { count } = await call<{ count: number }>('/portal/api/sessions/revoke', body)
    toast(text.ended(count))
    await refetch()
  })
  const otherSessions = data?.sessions.filter((one) => !one.current) ?? []
  // This device comes first, even if another device was used later.
  const sessions = [...(data?.sessions.filter((one) => one.current) ?? []), ...otherSessions]
  return (
    <>
      <PageHead title={tabs.sessions} text={text.purpose} />
      <AccountTabs />
      <Card title={text.title}>
        {error && <Failed error={error} onRetry={() => void refetch()} />}
        {ending.error !== null && <Failed error={ending.error} />}
        {!data && !error && <Skeleton />}
        {data && otherSessions.length === 0 && <p className="text-muted">{text.only}</p>}
        <ul className="grid divide-y divide-line">
          {sessions.map((one) => (
            <li key={one.id} className="flex flex-wrap items-center justify-between gap-3 py-3">
              <DeviceIcon userAgent={one.userAgent} />
              <div className="grid min-w-0 flex-1 basis-48 gap-0.5">
                <p className="font-medium wrap-anywhere">
                  <Browser userAgent={one.userAgent} /> {one.current && <Badge tone="ok" text={text.this} />}
                </p>
                <p className="text-sm text-muted max-sm:*:block">
                  <span>{one.ip}</span>
                  <span className="max-sm:hidden!"> · </span>
                  <span>
                    {text.lastSeen} <Time at={one.lastSeenAt} />
                  </span>
                  <span className="max-sm:hidden!"> · </span>
                  <span>
                    {text.since} <Time at={one.createdAt} />
                  </span>
                </p>
              </div>
              {!one.current && (
                <Button small busy={ending.busy} onClick={() => void ending.run(one.id)}>
                  {text.end}
                  <span className="sr-only">{toBrowserName(one.userAgent)}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
        {otherSessions.length > 0 && (
          <div className="border-t border-line pt-4">
            <Button busy={ending.busy} onClick={() => void ending.run()}>
              {text.endAll}
            </Button>
          </div>
        )}
      </Card>
    </>
  )
}
