// The steps to a working integration, with code and with links to the pages of the portal.
import { Link, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import type { ProjectView } from '@pazar/contract'
import { ENDPOINT_COMMANDS } from '@pazar/words'
import { usePermissions } from '../../api/members.ts'
import { pageData } from '../../api/page-data.ts'
import { useProject } from '../../api/projects.ts'
import { setupWords, locale, words } from '../../ui/language.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBox } from '../../ui/code-box.tsx'
import type { CodeBoxProps } from '../../ui/code-box.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { CodeLanguageChoice, CodeSample, toFileName, useSampleLanguage } from '../../parts/code-sample.tsx'
import type { CodeSampleProps } from '../../parts/code-sample.tsx'
import { TestCallback, useTestCallback } from '../../parts/deliveries/test-callback.tsx'
import { Failed } from '../../parts/failed.tsx'
import { PageHead } from '../../parts/page-head.tsx'

/** If the URL of the tokens page has this hash, the page opens the form for a token that may write. */
const NEW_WRITE_TOKEN = 'new-write'

type StepPage = `/projects/$id/${'keys' | 'link' | 'deliveries' | 'exam' | 'status' | 'settings'}`

export function Page() {
  const { id } = useParams({ from: '/framed/projects/$id/quickstart' })
  const { data: project, error, refetch } = useProject(id)
  const { quickstart } = setupWords()
  return (
    <>
      <PageHead title={words().frame.quickstart} text={quickstart.intro} within={[project?.name]}>
        <a href={`/${locale}/docs/quickstart`} className={buttonClass()}>
          {words().frame.documentation}
        </a>
      </PageHead>
      <div className="sticky top-0 z-10 -mx-4 border-b border-line bg-background px-4 py-4 lg:-mx-8 lg:px-8">
        <CodeLanguageChoice />
      </div>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!project && !error && <Skeleton rows={3} height="h-80" />}
      {project && <Steps key={project.id} project={project} />}
    </>
  )
}

function Steps({ project }: { project: ProjectView }) {
  const { quickstart } = setupWords()
  const { steps, buttons } = quickstart
  const may = usePermissions(project.id)
  const canOperate = may('operate')
  useEffect(() => {
    // The hash of the URL can name a step. The browser looked for this step before the steps were rendered and did not find
    // it, so this effect scrolls to it.
    document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [])
  const toLink = (page: StepPage, label: string, mode: 'test' | 'live' = 'test') => (
    <Link to={page} params={{ id: project.id }} search={{ mode }} className={buttonClass()}>
      {label}
    </Link>
  )
  // This button opens the log instead of the inbox, because the inbox gets no callbacks while the CLI listens.
  const logLink = toLink('/projects/$id/deliveries', buttons.log)
  const testCallback = useTestCallback(project.id)
  return (
    <ol className="grid max-w-5xl grid-cols-1 gap-6">
      <Step id="values" {...steps.values}>
        <Values project={project} />
        <p className="text-sm text-muted">{quickstart.powerShell}</p>
        <div className="flex flex-wrap gap-2">
          {toLink('/projects/$id/keys', buttons.keys)}
          <Link to="/account/tokens" hash={NEW_WRITE_TOKEN} className={buttonClass()}>
            {buttons.token}
          </Link>
        </div>
      </Step>
      <Step id="payment" {...steps.payment}>
        <Sample name="sign" label={steps.payment.title} project={project} />
        {canOperate && <div>{toLink('/projects/$id/link', buttons.link)}</div>}
      </Step>
      <Step id="callback" {...steps.callback}>
        <Sample name="verify" label={steps.callback.title} project={project} />
      </Step>
      <Step id="endpoint" {...steps.endpoint}>
        <Endpoint project={project} />
        {canOperate ? <TestCallback parts={testCallback}>{logLink}</TestCallback> : <div>{logLink}</div>}
      </Step>
      <Step id="signature" {...steps.signature}>
        <Commands label={steps.signature.title} text="npx @pazar/cli exam --url http://localhost:4000" />
        <div className="flex flex-wrap items-center gap-4">
          {canOperate && toLink('/projects/$id/exam', buttons.exam)}
          <DocsLink path={quickstart.examPath} label={quickstart.withoutNode} />
        </div>
      </Step>
      <Step id="status" {...steps.status}>
        <Sample name="check" label={steps.status.title} project={project} />
        <div>{toLink('/projects/$id/status', buttons.status)}</div>
      </Step>
      <Step id="live" {...steps.live}>
        <div className="flex flex-wrap gap-2">
          {may('configure_live') &&
            toLink('/projects/$id/settings', words().projects.overview.toUrls, 'live')}
          {may('live_secret') && toLink('/projects/$id/keys', buttons.liveKey, 'live')}
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

/** The secret is a placeholder, because only the secrets page shows the secret. */
function Values({ project }: { project: ProjectView }) {
  const { quickstart } = setupWords()
  const { placeholders } = setupWords().keys.env
  const text = [
    `export PAZAR_BASE_URL=${pageData.baseUrl}`,
    `export PAZAR_PROJECT_ID=${project.id}`,
    `export PAZAR_SECRET=${placeholders.test}`,
    `export PAZAR_TOKEN=${placeholders.token}`,
  ].join('\n')
  return <Commands isTemplate label={quickstart.steps.values.title} text={text} />
}

function Endpoint({ project }: { project: ProjectView }) {
  const { quickstart } = setupWords()
  const { title } = quickstart.steps.endpoint
  const language = useSampleLanguage()
  const start = ENDPOINT_COMMANDS[language]
  if (start === undefined) return <p className="text-sm text-muted">{quickstart.noEndpoint}</p>
  const toFile = (name: 'verify' | 'callback') => toFileName(language, name)
  return (
    <>
      <Sample name="callback" label={title} project={project} />
      <p className="text-sm text-muted">{quickstart.start(toFile('verify'), toFile('callback'))}</p>
      <Commands label={title} text={start} />
      <p className="text-sm text-muted">{quickstart.forward}</p>
      <Commands
        label={quickstart.forward}
        text={[
          `npm install ${pageData.baseUrl}/packages/pazar-cli.tgz`,
          'npx @pazar/cli listen --forward-to http://localhost:4000',
        ].join('\n')}
      />
      <DocsLink path={quickstart.listenPath} label={quickstart.withoutNode} />
    </>
  )
}

function DocsLink({ path, label }: { path: string; label: string }) {
  return (
    <a href={`/${locale}/docs/${path}`} className="w-fit text-sm text-accent underline underline-offset-4">
      {label}
    </a>
  )
}

function Commands(box: Omit<CodeBoxProps, 'heading'>) {
  return <CodeBox language="shell" heading={words().frame.terminal} {...box} />
}

function Sample({
  name,
  label,
  project,
}: Pick<CodeSampleProps, 'name' | 'label'> & { project: ProjectView }) {
  const values = { baseUrl: pageData.baseUrl, projectId: project.id }
  return <CodeSample hidesLanguageChoice name={name} label={label} values={values} />
}
