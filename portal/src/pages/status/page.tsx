// Checks whether the order with a customId was paid. A customId in the URL is checked immediately.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { toFieldErrors } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { useProject } from '../../api/projects.ts'
import { queryClient } from '../../api/session.ts'
import { useTransactions } from '../../api/transactions.ts'
import { useDraft } from '../../ui/drafts.ts'
import { pageData } from '../../api/page-data.ts'
import { words } from '../../ui/language.ts'
import { toModeName, useMode } from '../../parts/mode.ts'
import { CUSTOM_ID_UNITS_MAX } from '../../parts/custom-id.ts'
import { parseStatusSearch } from '../../parts/search.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeSample } from '../../parts/code-sample.tsx'
import { Field } from '../../ui/field.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { FormError } from '../../parts/form-error.tsx'
import { OrderResult } from './order-result.tsx'
import type { StatusResult } from './order-result.tsx'

export function Page() {
  const { id } = useParams({ from: '/framed/projects/$id/status' })
  return <StatusCheck key={id} id={id} />
}

function StatusCheck({ id }: { id: string }) {
  const { status } = words()
  const { q: customIdInUrl = '' } = parseStatusSearch(useSearch({ from: '/framed/projects/$id/status' }))
  const mode = useMode()
  const { data: project } = useProject(id)
  const navigate = useNavigate({ from: '/projects/$id/status' })
  const draft = useDraft(`status-${id}`, { customId: customIdInUrl })
  const { customId } = draft.values
  const [followedId, setFollowedId] = useState(customIdInUrl)
  if (followedId !== customIdInUrl) {
    // The Back button or a link to this page has changed the URL.
    setFollowedId(customIdInUrl)
    draft.follow({ customId: followedId }, { customId: customIdInUrl })
  }
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['status', id, mode, customIdInUrl],
    enabled: customIdInUrl !== '',
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const path = `/portal/api/projects/${id}/status-check`
      const result = await call<StatusResult>(path, { customId: customIdInUrl, mode }, { signal })
      // The cached details of the payment may be older than this check, so they are loaded again.
      void queryClient.invalidateQueries({ queryKey: ['transaction', id] })
      return result
    },
  })
  const check = (orderId: string) => {
    draft.resetTo({ customId: orderId })
    if (orderId === customIdInUrl) void refetch()
    else void navigate({ search: (current) => ({ ...current, q: orderId }) })
  }
  return (
    <>
      <PageHead title={status.title} text={status.text} within={[project?.name, toModeName(mode)]} />
      <div className="grid max-w-3xl grid-cols-1 gap-6">
        <Card>
          <form
            className="grid gap-4"
            onSubmit={(event) => {
              event.preventDefault()
              if (customId.trim() !== '') check(customId.trim())
            }}
          >
            <Field
              label={status.customId}
              value={customId}
              onText={(text) => draft.set({ customId: text })}
              required
              maxLength={CUSTOM_ID_UNITS_MAX}
              autoComplete="off"
              error={toFieldErrors(error)['customId']}
            />
            <div className="flex flex-wrap gap-2">
              <Button kind="main" type="submit" busy={isFetching}>
                {status.submit}
              </Button>
              <LatestOrder projectId={id} onPick={check} />
            </div>
          </form>
          {error && <FormError error={error} fields={['customId']} />}
          {isFetching && !data && <Skeleton rows={1} />}
          {customIdInUrl === '' && <p className="text-sm text-muted">{status.start}</p>}
          {data && <OrderResult projectId={id} mode={mode} result={data} />}
        </Card>
        <CheckSample projectId={id} customId={customIdInUrl} />
      </div>
    </>
  )
}

/** The code is loaded when the section is opened. */
function CheckSample({ projectId, customId }: { projectId: string; customId: string }) {
  const { asCode } = words().status
  const [isOpen, setOpen] = useState(false)
  return (
    <Card>
      <details className="-my-2" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="min-h-11 content-center font-medium">{asCode}</summary>
        {isOpen && (
          <div className="mt-2">
            <CodeSample
              name="check"
              label={asCode}
              values={{ baseUrl: pageData.baseUrl, projectId, ...(customId && { customId }) }}
            />
          </div>
        )}
      </details>
    </Card>
  )
}

/** Payments without a customId cannot be checked, so several payments are read to find one with a customId. */
function LatestOrder({ projectId, onPick }: { projectId: string; onPick: (customId: string) => void }) {
  const mode = useMode()
  const { data } = useTransactions({ projectId, mode, limit: 20 })
  const latest = data?.items.find((item) => item.customId !== null)?.customId
  return latest ? <Button onClick={() => onPick(latest)}>{words().status.last}</Button> : null
}
