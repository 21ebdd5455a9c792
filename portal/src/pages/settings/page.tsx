// The settings of a project, archiving and deleting it, and the history of changes.
import { useParams } from '@tanstack/react-router'
import type { ProjectView } from '@pazar/contract'
import { useMay } from '../../api/members.ts'
import { useProject } from '../../api/projects.ts'
import { words } from '../../ui/language.ts'
import { modeName, useMode } from '../../parts/mode.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { Failed } from '../../parts/failed.tsx'
import { BrandCard } from './brand-card.tsx'
import { ArchiveCard } from './archive-card.tsx'
import { DeleteCard } from './delete-card.tsx'
import { HistoryCard } from './history-card.tsx'
import { SettingsForm } from './settings-form.tsx'

export function Page() {
  const { id } = useParams({ from: '/framed/projects/$id/settings' })
  const { data: project, error, refetch, isPlaceholderData } = useProject(id)
  const mode = useMode()
  const may = useMay(id)
  return (
    <>
      <PageHead
        title={words().settings.title}
        text={words().settings.purpose}
        within={[project?.name, modeName(mode)]}
      />
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {(!project || isPlaceholderData) && !error && <Skeleton rows={4} height="h-20" />}
      {project && !isPlaceholderData && (
        <div className="grid items-start gap-6 xl:grid-cols-2">
          <div className="grid min-w-0 grid-cols-1 gap-6 empty:hidden">
            {may('configure') && <SettingsForm key={project.id} project={project} />}
          </div>
          <div className="grid min-w-0 grid-cols-1 gap-6">
            {/* A replica of the previous release does not send `brand`. */}
            {may('configure') && 'brand' in project && (
              <BrandCard key={`brand-${project.id}`} project={project} />
            )}
            <HistoryCard projectId={project.id} />
          </div>
          {may('ownership') && <DangerZone project={project} />}
        </div>
      )}
    </>
  )
}

/** Last, so that nobody meets these buttons on the way to another setting. */
function DangerZone({ project }: { project: ProjectView }) {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4 border-t border-line pt-6 xl:col-span-2">
      <h2 className="text-lg font-strong">{words().settings.dangerZone}</h2>
      <div className="grid gap-6 xl:grid-cols-2">
        <ArchiveCard project={project} />
        <DeleteCard project={project} />
      </div>
    </div>
  )
}
