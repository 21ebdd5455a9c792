// The secrets of a project. Only the state of the page contains a secret, never a cache, an address or storage.
import { Link, useParams } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { useNextSecret } from '../../api/next-secret.ts'
import { cacheProject, useProject } from '../../api/projects.ts'
import { setupWords } from '../../ui/language.ts'
import { toModeName, useMode } from '../../parts/mode.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBox } from '../../ui/code-box.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { Failed } from '../../parts/failed.tsx'
import { NextSecretCard } from './next-secret-card.tsx'
import { SecretCard } from './secret-card.tsx'
import type { ProjectView } from '@pazar/contract'
import { roleMay } from '@pazar/contract/permissions'

export function Page() {
  const { id } = useParams({ from: '/framed/projects/$id/keys' })
  const { data: project, error, refetch } = useProject(id)
  const mode = useMode()
  const { debug, keys } = setupWords()
  return (
    <>
      <PageHead title={keys.title} text={keys.intro} within={[project?.name, toModeName(mode)]}>
        <Link
          to="/projects/$id/debug"
          params={{ id }}
          search={{ mode }}
          className={buttonClass('second', true)}
        >
          {debug.open}
        </Link>
      </PageHead>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!project && !error && <Skeleton rows={2} height="h-40" />}
      {project && (
        <div className="grid items-start gap-6 xl:grid-cols-2">
          <SecretCards project={project} />
        </div>
      )}
    </>
  )
}

async function readSecret(path: string, body?: unknown): Promise<string> {
  return (await call<{ secret: string }>(path, body)).secret
}

function SecretCards({ project }: { project: ProjectView }) {
  const mode = useMode()
  const projectId = project.id
  const mayLive = roleMay(project.role, 'live_secret')
  const { data: prepared, refetch } = useNextSecret(projectId, mayLive)
  const testSecretPath = `/portal/api/projects/${projectId}/test-secret`
  // A rotation changes the project's rotation time, and a rotation of the live secret removes the prepared secret.
  const reload = async () => {
    cacheProject(await call<ProjectView>('/sdk/project/get', { projectId }))
    if (mayLive) await refetch()
  }
  const live = (
    <SecretCard
      key="live"
      mode="live"
      project={project}
      hasNext={Boolean(prepared?.next)}
      read={() => readSecret('/sdk/project/seeSecret', { projectId })}
      rotate={() => readSecret('/sdk/project/rotateSecret', { projectId })}
      onRotated={reload}
    />
  )
  const test = (
    <SecretCard
      key="test"
      mode="test"
      project={project}
      read={() => readSecret(testSecretPath)}
      rotate={() => readSecret(`${testSecretPath}/rotate`, {})}
      onRotated={reload}
    />
  )
  const env = <EnvironmentCard key="env" projectId={projectId} />
  if (!mayLive) return [test, env]
  const next = <NextSecretCard key="next" project={project} onRotated={reload} />
  return mode === 'test' ? [test, env, live, next] : [live, next, test, env]
}

function EnvironmentCard({ projectId }: { projectId: string }) {
  const { env } = setupWords().keys
  const mode = useMode()
  return (
    <Card title={env.title} text={env.text}>
      <CodeBox
        heading=".env"
        language="shell"
        label={env.title}
        isTemplate
        text={`PAZAR_PROJECT_ID=${projectId}\nPAZAR_SECRET=${env.placeholders[mode]}`}
      />
    </Card>
  )
}
