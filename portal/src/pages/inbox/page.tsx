// The inbox of a project: the received callbacks, and whether their signatures are right.
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { ProjectView } from '@pazar/contract'
import { INBOX_REQUESTS_MAX } from '@pazar/contract/limits'
import { useInbox } from '../../api/inbox.ts'
import { usePermissions } from '../../api/members.ts'
import { isInboxTarget } from '../../api/service-pages.ts'
import { useProject } from '../../api/projects.ts'
import { words } from '../../ui/language.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Empty, Skeleton } from '../../ui/states.tsx'
import { Failed } from '../../parts/failed.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { TestCallback, useTestCallback } from '../../parts/deliveries/test-callback.tsx'
import { Request } from './request.tsx'
import { TestPayment } from './test-payment.tsx'

const INITIAL_LIMIT = 20

export function Page() {
  const { id } = useParams({ from: '/framed/projects/$id/inbox' })
  const { data: project, error, refetch } = useProject(id)
  const { inbox } = words()
  return (
    <>
      <PageHead
        title={inbox.title}
        text={project && !isInboxTarget(project, 'test') ? undefined : inbox.intro}
        within={[project?.name]}
      />
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!project && !error && <Skeleton rows={2} height="h-40" />}
      {project && <Inbox key={project.id} project={project} />}
    </>
  )
}

function Inbox({ project }: { project: ProjectView }) {
  const { inbox, frame } = words()
  const [limit, setLimit] = useState(INITIAL_LIMIT)
  const { data: items, error, refetch } = useInbox(project.id, limit)
  const isUsed = isInboxTarget(project, 'test')
  const may = usePermissions(project.id)
  const testCallback = useTestCallback(project.id)
  const logLink = (
    <Link
      to="/projects/$id/deliveries"
      params={{ id: project.id }}
      search={{ mode: 'test' }}
      className={buttonClass()}
    >
      {frame.deliveries}
    </Link>
  )
  return (
    <div className="grid min-w-0 max-w-5xl grid-cols-1 gap-6">
      {!isUsed && (
        <Notice tone="info" title={inbox.notUsed} live={false}>
          {inbox.notUsedText}
        </Notice>
      )}
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!items && !error && <Skeleton rows={2} height="h-40" />}
      {items?.length === 0 && isUsed && (
        <Empty title={inbox.emptyTitle} text={inbox.emptyText}>
          <TestCallback parts={testCallback}>
            <TestPayment projectId={project.id} />
            {logLink}
          </TestCallback>
        </Empty>
      )}
      {items?.length === 0 && !isUsed && <Empty title={inbox.emptyTitle}>{logLink}</Empty>}
      {items && items.length > 0 && (
        <>
          {isUsed && (
            <TestCallback parts={testCallback}>
              <TestPayment projectId={project.id} />
              {may('configure') && (
                <Link
                  to="/projects/$id/settings"
                  params={{ id: project.id }}
                  search={{ mode: 'test' }}
                  className={buttonClass()}
                >
                  {inbox.toSettings}
                </Link>
              )}
            </TestCallback>
          )}
          <ol className="grid grid-cols-1 gap-4">
            {items.map((item, index) => (
              <Request
                key={`${item.receivedAt} ${item.headers['webhook-id']}`}
                item={item}
                isOpen={index === 0}
              />
            ))}
          </ol>
          {items.length === limit && limit < INBOX_REQUESTS_MAX && (
            <div>
              <Button onClick={() => setLimit(INBOX_REQUESTS_MAX)}>{frame.more}</Button>
            </div>
          )}
        </>
      )}
      <p className="text-sm text-muted">{inbox.stored}</p>
    </div>
  )
}
