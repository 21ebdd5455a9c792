import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { auditList, AuditTopic } from '@pazar/contract'
import { call } from '../../api/call.ts'
import { useProjects } from '../../api/projects.ts'
import { useAccount } from '../../api/session.ts'
import { words } from '../../ui/language.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Choice } from '../../ui/field.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Empty, Skeleton } from '../../ui/states.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Cell, HeadCell, ROW, Table } from '../../ui/table.tsx'
import { Time } from '../../parts/time.tsx'
import { AccountTabs } from './account-tabs.tsx'
import { Browser } from './browser.tsx'
import { EntryPayment } from '../../parts/entry-payment.tsx'
import { toActionText, toActorText } from '../../parts/action-text.ts'

const ORIGIN = 'max-md:pt-0 max-md:text-xs max-md:text-muted md:wrap-break-word'

type Audit = (typeof auditList)['_output']

const TOPICS = ['', 'payments', 'projects', 'account'] as const satisfies (AuditTopic | '')[]

export function Page() {
  const { audit } = words().account
  const [topic, setTopic] = useState<AuditTopic | ''>('')
  const query = useInfiniteQuery({
    queryKey: ['audit', topic],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === '' ? '' : `&cursor=${encodeURIComponent(pageParam)}`
      const about = topic === '' ? '' : `&about=${topic}`
      return call<Audit>(`/portal/api/audit?limit=25${about}${cursor}`, undefined, { signal })
    },
    getNextPageParam: (last) => last.nextCursor,
  })
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <PageHead title={audit.title} text={audit.text} />
      <AccountTabs />
      <Choice
        className="sm:max-w-72"
        label={audit.topic}
        value={topic}
        options={TOPICS.map((value) => ({ value, label: audit.topics[value || 'all'] }))}
        onChoice={setTopic}
      />
      {query.error && <Failed error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton rows={8} height="h-11" />}
      {query.data && items.length === 0 && (
        <Empty title={audit.empty} text={topic === '' ? audit.emptyText : audit.emptyTopic} />
      )}
      {items.length > 0 && <AuditTable items={items} />}
      {query.hasNextPage && (
        <div>
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {audit.more}
          </Button>
        </div>
      )}
    </>
  )
}

function AuditTable({ items }: { items: Audit['items'] }) {
  const { audit } = words().account
  const { email: ownEmail } = useAccount()
  const { data: projectList } = useProjects()
  const toProjectName = (id: string | null) =>
    projectList?.projects.find((project) => project.id === id)?.name ?? id ?? ''
  return (
    <Table label={audit.title}>
      <thead>
        <tr>
          <HeadCell>{audit.columns.time}</HeadCell>
          <HeadCell>{audit.columns.action}</HeadCell>
          <HeadCell>{audit.columns.project}</HeadCell>
          <HeadCell>{audit.columns.browser}</HeadCell>
          <HeadCell>{audit.columns.ip}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {items.map((item, index) => (
          <tr key={`${item.at}-${index}`} className={ROW}>
            <Cell
              label={audit.columns.time}
              narrow="right"
              className="max-md:text-xs max-md:text-muted md:wrap-break-word"
            >
              <Time at={item.at} both="wide" />
            </Cell>
            <Cell label={audit.columns.action} className="-order-1">
              <span className="font-strong">{toActionText(item.action)}</span>
              {/* A replica of the previous release does not send the subject. */}
              {item.subject && <span className="line-clamp-2 md:max-w-64">{item.subject}</span>}
              <EntryPayment projectId={item.projectId} entry={item} />
              {item.actor !== ownEmail && (
                <span className="block text-xs text-muted">{toActorText(item.actor, { ownEmail })}</span>
              )}
            </Cell>
            <Cell
              label={audit.columns.project}
              narrow={item.projectId ? 'whole' : 'hidden'}
              className="max-md:pt-0 max-md:text-muted"
            >
              <span className="block md:max-w-64">{toProjectName(item.projectId)}</span>
            </Cell>
            <Cell label={audit.columns.browser} className={classNames(ORIGIN, 'xl:whitespace-nowrap')}>
              <Browser userAgent={item.userAgent} />
            </Cell>
            <Cell label={audit.columns.ip} narrow="right" className={ORIGIN}>
              {item.ip ?? ''}
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
