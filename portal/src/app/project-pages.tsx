// The pages of one project. An archived project accepts no payments, so its pages show a notice. Otherwise, people might
// print a QR code that no longer works.
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { ApiError } from '../api/api-error.ts'
import { usePermissions } from '../api/members.ts'
import { useProject } from '../api/projects.ts'
import { buttonClass } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useMode } from '../parts/mode.ts'
import { PageHead } from '../parts/page-head.tsx'
import { words } from '../ui/language.ts'
import { isProjectId } from '../parts/search.ts'

/** The service refuses an id of a wrong format with invalid_request. */
const MISSING_PROJECT_CODES: ReadonlySet<string> = new Set(['not_found', 'invalid_request'])

export function ProjectPages() {
  const { id } = useParams({ from: '/framed/projects/$id' })
  const { data: project } = useProject(id)
  if (useIsMissingProject(id)) return <MissingProject />
  return (
    <>
      {project?.archivedAt && <ArchivedNotice projectId={id} />}
      {/* Without the key, a page would keep its state, such as a shown secret, when Back leads to another project. */}
      <Outlet key={id} />
    </>
  )
}

/**
 * True if there is no project with this id, or if the user may not see it. The check adds no request, because every page
 * of a project loads the project anyway.
 */
export function useIsMissingProject(id: string | null): boolean {
  const { error } = useProject(id)
  if (id !== null && !isProjectId(id)) return true
  return error instanceof ApiError && MISSING_PROJECT_CODES.has(error.code)
}

function MissingProject() {
  const { noProject, notFound } = words().frame
  return (
    <>
      <PageHead title={noProject.title} text={noProject.text} />
      <div>
        <Link to="/projects" className={buttonClass('main')}>
          {notFound.action}
        </Link>
      </div>
    </>
  )
}

function ArchivedNotice({ projectId }: { projectId: string }) {
  const { frame, projects } = words()
  const mode = useMode()
  return (
    <Notice
      tone="warn"
      title={projects.overview.archivedTitle}
      live={false}
      action={
        usePermissions(projectId)('ownership') && (
          <Link
            to="/projects/$id/settings"
            params={{ id: projectId }}
            search={{ mode, tab: 'danger' }}
            className={buttonClass('second', true)}
          >
            {frame.settings}
          </Link>
        )
      }
    >
      {projects.overview.archivedText}
    </Notice>
  )
}
