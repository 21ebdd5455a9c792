import { Link } from '@tanstack/react-router'
import type { ProjectView } from '@pazar/contract'
import { useProjects } from '../../api/projects.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { NewProjectForm } from '../../parts/project-form/new-project-form.tsx'
import { Card } from '../../ui/card.tsx'
import { words } from '../../ui/language.ts'
import { Notice } from '../../ui/notice.tsx'

export function Page() {
  const { add } = words().projects
  const { data } = useProjects()
  const own = data?.projects.filter(({ archivedAt, role }) => archivedAt === null && role === 'owner') ?? []
  // Nobody should fill in a form that the service will refuse.
  const isFull = data && own.length >= data.limit
  return (
    <>
      <PageHead title={add.title} text={isFull ? undefined : add.text} />
      {isFull ? (
        <Full projects={own} />
      ) : (
        <Card className="max-w-2xl">
          <NewProjectForm canCancel />
        </Card>
      )}
    </>
  )
}

function Full({ projects }: { projects: readonly ProjectView[] }) {
  const { add, list } = words().projects
  return (
    <div className="grid max-w-2xl gap-6">
      <Notice tone="info" live={false}>
        {list.full}
      </Notice>
      <ul className="grid divide-y divide-line rounded-card border border-line bg-raised px-4 sm:px-6">
        {projects.map(({ id, name }) => (
          <li key={id} className="flex items-center justify-between gap-4 py-2">
            <span className="min-w-0 font-medium wrap-anywhere">{name}</span>
            <Link
              to="/projects/$id/settings"
              params={{ id }}
              search={{ tab: 'danger' }}
              className="inline-flex min-h-11 shrink-0 items-center text-accent underline underline-offset-4"
            >
              {add.archive}
              <span className="sr-only">: {name}</span>
            </Link>
          </li>
        ))}
      </ul>
      <div>
        <Link
          to="/projects"
          className="inline-flex min-h-11 items-center text-accent underline underline-offset-4"
        >
          {words().frame.notFound.action}
        </Link>
      </div>
    </div>
  )
}
