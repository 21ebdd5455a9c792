import { Link, useParams, useSearch } from '@tanstack/react-router'
import type { ProjectView } from '@pazar/contract'
import { usePermissions } from '../../api/members.ts'
import { useProject } from '../../api/projects.ts'
import { words } from '../../ui/language.ts'
import { toModeName, useMode } from '../../parts/mode.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { parseSettingsSearch } from '../../parts/search.ts'
import type { SettingsTab } from '../../parts/search.ts'
import { Skeleton } from '../../ui/states.tsx'
import { TAB, Tabs } from '../../ui/tabs.tsx'
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
  return (
    <>
      <PageHead
        title={words().settings.title}
        text={words().settings.purpose}
        within={[project?.name, toModeName(mode)]}
      />
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {(!project || isPlaceholderData) && !error && <Skeleton rows={4} height="h-20" />}
      {project && !isPlaceholderData && <Parts key={project.id} project={project} />}
    </>
  )
}

function Parts({ project }: { project: ProjectView }) {
  const { settings } = words()
  const may = usePermissions(project.id)
  // A replica of an earlier release may not send `brand`.
  const hasBrand = may('configure') && 'brand' in project
  const tabs = [
    may('configure') && 'general',
    hasBrand && 'checkout',
    'history',
    may('ownership') && 'danger',
  ].filter((one) => one !== false) as SettingsTab[]
  const { tab: requested } = parseSettingsSearch(useSearch({ strict: false }))
  const open = tabs.find((one) => one === requested) ?? tabs[0]
  return (
    <>
      <Tabs label={settings.title}>
        {tabs.map((tab) => (
          <Link
            key={tab}
            to="."
            search={({ tab: _tab, ...rest }) => (tab === tabs[0] ? rest : { ...rest, tab })}
            {...TAB[tab === open ? 'active' : 'inactive']}
          >
            {settings.tabs[tab]}
          </Link>
        ))}
      </Tabs>
      {/* The forms are hidden instead of removed, so that typed text is not lost. */}
      {may('configure') && (
        <div hidden={open !== 'general'}>
          <SettingsForm project={project} />
        </div>
      )}
      {hasBrand && (
        <div hidden={open !== 'checkout'}>
          <BrandCard project={project} />
        </div>
      )}
      {open === 'history' && <HistoryCard projectId={project.id} />}
      {open === 'danger' && (
        <div className="grid gap-6">
          <ArchiveCard project={project} />
          <DeleteCard project={project} />
        </div>
      )}
    </>
  )
}
