// The pages of one project, or the word that there is none.
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { ApiError } from '../api/api-error.ts'
import { useProject } from '../api/projects.ts'
import { buttonClass } from '../ui/button.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { words } from './language.ts'

/** The second is what an id gets that cannot be one: a placeholder copied out of an example. */
const NO_PROJECT: ReadonlySet<string> = new Set(['not_found', 'invalid_request'])

export function ProjectPages() {
  const { id } = useParams({ from: '/framed/projects/$id' })
  // Every page below asks for it too, so this is no further call.
  const { error } = useProject(id)
  return error instanceof ApiError && NO_PROJECT.has(error.code) ? <NoProject /> : <Outlet />
}

function NoProject() {
  const { noProject, notFound } = words().frame
  return (
    <>
      <PageHead title={noProject.title} />
      <p className="text-muted">{noProject.text}</p>
      <div>
        <Link to="/projects" className={buttonClass('main')}>
          {notFound.action}
        </Link>
      </div>
    </>
  )
}
