// From nothing to a working integration: each step with its code in the reader's language, their own ids filled in, and the
// page where the step is done.
import { Link, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import type { ProjectView } from '@pazar/contract'
import type { SampleName } from '@pazar/words'
import { useMay } from '../../api/members.ts'
import { hasInbox } from '../../api/own-pages.ts'
import { pageData } from '../../api/page-data.ts'
import { useProject } from '../../api/projects.ts'
import { locale, words } from '../../ui/language.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { CodeSample } from '../../parts/code-sample.tsx'
import { TestCallback } from '../../parts/deliveries/test-callback.tsx'
import { Failed } from '../../parts/failed.tsx'
import { PageHead } from '../../parts/page-head.tsx'

type StepPage = `/projects/$id/${'keys' | 'link' | 'inbox' | 'deliveries' | 'exam' | 'status' | 'settings'}`

export function Page() {
  const { id } = useParams({ from: '/framed/projects/$id/quickstart' })
  const { data: project, error, refetch } = useProject(id)
  const { quickstart } = words()
  return (
    <>
      <PageHead title={quickstart.title} within={[project?.name]}>
        <a href={`/${locale}/docs/quickstart`} className={buttonClass()}>
          {words().frame.documentation}
        </a>
      </PageHead>
      <p className="max-w-prose text-muted">{quickstart.intro}</p>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!project && !error && <Skeleton rows={3} height="h-80" />}
      {project && <Steps key={project.id} project={project} />}
    </>
  )
}

function Steps({ project }: { project: ProjectView }) {
  const { quickstart, exam, keys, frame } = words()
  const { steps } = quickstart
  const canOperate = useMay(project.id)('operate')
  useEffect(() => {
    // The step exists only now, after the browser has looked for it.
    document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [])
  const to = (page: StepPage, label: string, mode: 'test' | 'live' = 'test') => (
    <Link to={page} params={{ id: project.id }} search={{ mode }} className={buttonClass()}>
      {label}
    </Link>
  )
  const log = hasInbox(project)
    ? to('/projects/$id/inbox', words().inbox.title)
    : to('/projects/$id/deliveries', frame.deliveries)
  return (
    <ol className="grid max-w-3xl grid-cols-1 gap-6">
      <Step id="values" {...steps.values}>
        <Values project={project} />
        <div>{to('/projects/$id/keys', keys.title)}</div>
      </Step>
      <Step id="payment" {...steps.payment}>
        <Sample name="sign" label={steps.payment.title} project={project} />
        {canOperate && <div>{to('/projects/$id/link', frame.link)}</div>}
      </Step>
      <Step id="callback" {...steps.callback}>
        <Sample name="verify" label={steps.callback.title} project={project} />
        {canOperate ? <TestCallback projectId={project.id}>{log}</TestCallback> : <div>{log}</div>}
      </Step>
      <Step id="signature" {...steps.signature}>
        {canOperate && <div>{to('/projects/$id/exam', exam.title)}</div>}
      </Step>
      <Step id="status" {...steps.status}>
        <Sample name="check" label={steps.status.title} project={project} />
        <div>{to('/projects/$id/status', frame.status)}</div>
      </Step>
      <Step id="live" {...steps.live}>
        <div className="flex flex-wrap gap-2">
          {to('/projects/$id/settings', frame.settings, 'live')}
          {to('/projects/$id/keys', keys.title, 'live')}
        </div>
      </Step>
    </ol>
  )
}

function Step({
  id,
  title,
  text,
  children,
}: {
  id: string
  title: string
  text: string
  children: ReactNode
}) {
  return (
    <li id={id} className="min-w-0 scroll-mt-24">
      <Card title={title} text={text}>
        {children}
      </Card>
    </li>
  )
}

/** The settings of a program, without the secret, which is shown only under Keys. */
function Values({ project }: { project: ProjectView }) {
  const { steps } = words().quickstart
  const text = [
    `PAZAR_BASE_URL=${pageData.baseUrl}`,
    `PAZAR_PROJECT_ID=${project.id}`,
    'PAZAR_SECRET=sk_test_…',
  ].join('\n')
  return (
    <div className="grid min-w-0 gap-2">
      <CodeBlock label={steps.values.title} text={text} />
      <div>
        <CopyButton text={text} what={steps.values.title} />
      </div>
    </div>
  )
}

function Sample({ name, label, project }: { name: SampleName; label: string; project: ProjectView }) {
  return <CodeSample name={name} label={label} own={{ baseUrl: pageData.baseUrl, projectId: project.id }} />
}
