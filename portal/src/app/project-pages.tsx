// The pages of one project, or the word that there is none.
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { ApiError } from '../api/api-error.ts'
import { useProject } from '../api/projects.ts'
import { buttonClass } from '../ui/button.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { words } from './language.ts'
import { isProjectId } from './search.ts'

/** The second is what an id gets that is too short or too long to be one. */
const NO_PROJECT: ReadonlySet<string> = new Set(['not_found', 'invalid_request'])

export function ProjectPages() {
  const { id } = useParams({ from: '/framed/projects/$id' })
  return useIsNoProject(id) ? <NoProject /> : <Outlet />
}

/** The address names a project that is not there. Every page asks for its project, so this is no further call. */
export function useIsNoProject(id: string | null): boolean {
  const { error } = useProject(id)
  if (id !== null && !isProjectId(id)) return true
  return error instanceof ApiError && NO_PROJECT.has(error.code)
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
