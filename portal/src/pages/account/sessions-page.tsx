import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { sessionList } from '@pazar/contract'
import { toBrowserName } from '@pazar/words'
import { GivenUp } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { words } from '../../app/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Failed, Skeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { AccountTabs } from './account-tabs.tsx'
import { Browser } from './browser.tsx'

type Sessions = (typeof sessionList)['_output']

export function Page() {
  const { sessions: text, tabs } = words().account
  const { data, error, refetch } = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => call<Sessions>('/portal/api/sessions', undefined, { signal }),
  })
  const [refusal, setRefusal] = useState<unknown>(null)

  async function end(id?: string): Promise<void> {
    try {
      setRefusal(null)
      const { count } = await call<{ count: number }>(
        '/portal/api/sessions/revoke',
        id === undefined ? {} : { id },
      )
      toast(text.ended(count))
      await refetch()
    } catch (thrown) {
      if (!(thrown instanceof GivenUp)) setRefusal(thrown)
    }
  }
  const others = data?.sessions.filter((one) => !one.current) ?? []
  return (
    <>
      <PageHead title={tabs.sessions} />
      <AccountTabs />
      <Card
        title={text.title}
        actions={others.length > 0 && <Button onClick={() => void end()}>{text.endAll}</Button>}
      >
        {(error ?? refusal) !== null && <Failed error={error ?? refusal} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton />}
        {data && others.length === 0 && <p className="text-muted">{text.only}</p>}
        <ul className="grid divide-y divide-line">
          {data?.sessions.map((one) => (
            <li key={one.id} className="flex flex-wrap items-center justify-between gap-3 py-3">
              <div className="grid min-w-0 gap-0.5">
                <p className="wrap-anywhere">
                  <Browser userAgent={one.userAgent} />
                </p>
                <p className="text-sm text-muted">
                  {one.ip} · {text.lastSeen} <Time at={one.lastSeenAt} /> · {text.since}{' '}
                  <Time at={one.createdAt} />
                </p>
              </div>
              {one.current ? (
                <span className="text-sm font-medium text-ok">{text.this}</span>
              ) : (
                <Button small onClick={() => void end(one.id)}>
                  {text.end}
                  <span className="sr-only">{toBrowserName(one.userAgent)}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Card>
    </>
  )
}
