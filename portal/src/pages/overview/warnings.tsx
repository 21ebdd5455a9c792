// What a project still needs before live payments.
import { Link } from '@tanstack/react-router'
import type { ProjectView } from '@pazar/contract'
import { usePermissions } from '../../api/members.ts'
import { hasServicePages } from '../../api/service-pages.ts'
import { pageData } from '../../api/page-data.ts'
import { isOwnerUnverified } from '../../api/projects.ts'
import { useMode } from '../../parts/mode.ts'
import { buttonClass } from '../../ui/button.tsx'
import { words } from '../../ui/language.ts'
import { Notice } from '../../ui/notice.tsx'

export function Warnings({ project }: { project: ProjectView }) {
  const { overview } = words().projects
  const mode = useMode()
  const may = usePermissions(project.id)
  return (
    <>
      {mode === 'live' && hasServicePages(project) && (
        <Notice
          tone="warn"
          title={overview.ownPagesTitle}
          live={false}
          action={
            may('configure_live') && (
              <Link
                to="/projects/$id/settings"
                params={{ id: project.id }}
                search={{ mode }}
                className={buttonClass('second', true)}
              >
                {overview.toUrls}
              </Link>
            )
          }
        >
          {overview.ownPagesText}
        </Notice>
      )}
      {pageData.requireKyc && isOwnerUnverified(project) && (
        <Notice
          tone="warn"
          title={overview.kycTitle}
          live={false}
          action={
            pageData.supportUrl && (
              <a className={buttonClass('second', true)} href={pageData.supportUrl}>
                {overview.support}
              </a>
            )
          }
        >
          {overview.kycText}
        </Notice>
      )}
    </>
  )
}
