// The URL that the exam calls, shown before anything is sent.
import { Link } from '@tanstack/react-router'
import type { ProjectView } from '@pazar/contract'
import { hasInbox } from '../../api/service-pages.ts'
import { words } from '../../ui/language.ts'
import { useMode } from '../../parts/mode.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { isLiveTarget } from './live-target.ts'

/** `isShort`: true after a run, because the reader has seen the warning by then. */
export function Target({ project, isShort }: { project: ProjectView; isShort: boolean }) {
  const { exam } = words()
  const mode = useMode()
  const needsServer = project.testApiUrl === null && hasInbox(project)
  return (
    <>
      <div>
        <p className="text-sm text-muted">{exam.target}</p>
        <code className="line-clamp-3 font-mono text-sm wrap-anywhere">
          {project.testApiUrl ?? project.apiUrl}
        </code>
      </div>
      {isLiveTarget(project) && (
        <Notice
          tone={needsServer ? 'info' : 'warn'}
          title={needsServer ? exam.noServerTitle : exam.liveTitle}
          live={false}
          action={
            <Link
              to="/projects/$id/settings"
              params={{ id: project.id }}
              search={{ mode }}
              className={buttonClass('second', true)}
            >
              {exam.toSettings}
            </Link>
          }
        >
          {needsServer ? exam.noServerText : isShort ? null : exam.liveText}
        </Notice>
      )}
    </>
  )
}
