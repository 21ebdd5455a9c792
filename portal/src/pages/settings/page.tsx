// What can be changed about a project, its archive, and who changed what.
import { useParams } from '@tanstack/react-router'
import { useProject } from '../../api/projects.ts'
import { words } from '../../app/language.ts'
import { modeName, useMode } from '../../app/mode.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Failed, Skeleton } from '../../ui/states.tsx'
import { ArchiveCard } from './archive-card.tsx'
import { DeleteCard } from './delete-card.tsx'
import { HistoryCard } from './history-card.tsx'
import { SettingsForm } from './settings-form.tsx'

export function Page() {
  const { id } = useParams({ from: '/framed/projects/$id/settings' })
  const { data: project, error, refetch, isPlaceholderData } = useProject(id)
  const mode = useMode()
  return (
    <>
      <PageHead title={words().settings.title} within={[project?.name, modeName(mode)]} />
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {(!project || isPlaceholderData) && !error && <Skeleton rows={4} height="h-20" />}
      {project && !isPlaceholderData && (
        <>
          <SettingsForm key={project.id} project={project} />
          <ArchiveCard project={project} />
          <DeleteCard project={project} />
          <HistoryCard projectId={project.id} />
        </>
      )}
    </>
  )
}
