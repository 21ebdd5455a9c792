// Was this order paid? Asked by customId; coming here with one in the address asks at once.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ownerStatusAnswer } from '@pazar/contract'
import { toFieldTexts } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { useProject } from '../../api/projects.ts'
import { useTransactions } from '../../api/transactions.ts'
import { useDraft } from '../../app/drafts.ts'
import { facts } from '../../app/facts.ts'
import { words } from '../../app/language.ts'
import { modeName, useMode } from '../../app/mode.tsx'
import { parseListSearch } from '../../app/search.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeSample } from '../../ui/code-sample.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { Refusal } from '../../ui/refusal.tsx'

type Answer = (typeof ownerStatusAnswer)['_output']

export function Page() {
  const { id } = useParams({ from: '/framed/projects/$id/status' })
  return <StatusCheck key={id} id={id} />
}

function StatusCheck({ id }: { id: string }) {
  const { status } = words()
  const { q: asked = '' } = parseListSearch(useSearch({ from: '/framed/projects/$id/status' }))
  const mode = useMode()
  const { data: project } = useProject(id)
  const navigate = useNavigate({ from: '/projects/$id/status' })
  const draft = useDraft(`status-${id}`, { customId: asked })
  const { customId } = draft.values
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['status', id, mode, asked],
    enabled: asked !== '',
    staleTime: 0,
    queryFn: ({ signal }) =>
      call<Answer>(`/portal/api/projects/${id}/status-check`, { customId: asked, mode }, { signal }),
  })
  const ask = (wanted: string) => {
    draft.done({ customId: wanted })
    if (wanted === asked) void refetch()
    else void navigate({ search: (now) => ({ ...now, q: wanted }) })
  }
  return (
    <>
      <PageHead title={status.title} within={[project?.name, modeName(mode)]} />
      <Card text={status.text} className="max-w-3xl">
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (customId.trim() !== '') ask(customId.trim())
          }}
        >
          <Field
            label={status.customId}
            value={customId}
            onText={(text) => draft.set({ customId: text })}
            required
            maxLength={128}
            autoComplete="off"
            error={toFieldTexts(error)['customId']}
          />
          <div className="flex flex-wrap gap-2">
            <Button kind="main" type="submit" busy={isFetching}>
              {status.submit}
            </Button>
            <LatestOrder projectId={id} onPick={ask} />
          </div>
        </form>
        {error && <Refusal error={error} />}
        {isFetching && !data && <Skeleton rows={1} />}
        {data && <AnswerNotice answer={data} />}
      </Card>
      <Card title={status.asCode} className="max-w-3xl">
        <CodeSample
          name="check"
          label={status.asCode}
          own={{ baseUrl: facts.baseUrl, projectId: id, ...(asked && { customId: asked }) }}
        />
      </Card>
    </>
  )
}

function AnswerNotice({ answer }: { answer: Answer }) {
  const { status, payments } = words()
  if (!answer.found) {
    return (
      <Notice tone="warn" title={status.notFoundTitle}>
        {status.notFoundText}
      </Notice>
    )
  }
  const isTakenBack = answer.state === 'succeeded' && !answer.successful
  const name = isTakenBack ? payments.review.unpaid : answer.state && payments.states[answer.state]
  const state = name === null ? '' : `${status.state}: ${name}`
  return answer.successful ? (
    <Notice tone="ok" title={status.paid}>
      {status.paidText}
    </Notice>
  ) : (
    <Notice tone="info" title={status.notPaid}>
      {state}
    </Notice>
  )
}

function LatestOrder({ projectId, onPick }: { projectId: string; onPick: (customId: string) => void }) {
  const mode = useMode()
  const { data } = useTransactions({ projectId, mode, limit: 20 })
  const latest = data?.items.find((item) => item.customId !== null)?.customId
  return latest ? <Button onClick={() => onPick(latest)}>{words().status.last}</Button> : null
}
