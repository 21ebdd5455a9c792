import { Link } from '@tanstack/react-router'
import type { ProjectView } from '@pazar/contract'
import { usePermissions } from '../../api/members.ts'
import { hasInbox } from '../../api/service-pages.ts'
import { setupWords } from '../../ui/language.ts'
import { useMode } from '../../parts/mode.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { isLiveTarget } from './live-target.ts'

interface TargetProps {
  project: ProjectView
  /** Whether the warning is short. True after a run of the exam: the merchant has already seen the long warning. */
  isShort: boolean
  /** True after a passed exam: the merchant's server has refused the forged callbacks that the warning is about. */
  hasPassed: boolean
}

export function Target({ project, isShort, hasPassed }: TargetProps) {
  const { exam } = setupWords()
  const mode = useMode()
  const may = usePermissions(project.id)
  const hasNoServer = project.testApiUrl === null && hasInbox(project)
  return (
    <>
      {/* Until the merchant enters a callback URL, callbacks go to the project's inbox. The exam sends nothing to the inbox. */}
      {!hasNoServer && (
        <div>
          <p className="text-sm text-muted">{exam.target}</p>
          <code className="line-clamp-3 font-mono text-sm wrap-anywhere">
            {project.testApiUrl ?? project.apiUrl}
          </code>
        </div>
      )}
      {isLiveTarget(project) && (
        <Notice
          tone={hasNoServer || hasPassed ? 'info' : 'warn'}
          title={hasNoServer ? exam.noServerTitle : exam.liveTitle}
          live={false}
        >
          <p className="mb-2">{hasNoServer ? exam.noServerText : isShort ? exam.liveShort : exam.liveText}</p>
          {may('configure') && (
            <Link
              to="/projects/$id/settings"
              params={{ id: project.id }}
              search={{ mode }}
              className={buttonClass('second', true)}
            >
              {exam.toSettings}
            </Link>
          )}
        </Notice>
      )}
    </>
  )
}
