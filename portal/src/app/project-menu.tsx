// Links to the pages of one project, in the rail and in the tab bar of small screens.
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { LayoutGrid, Store } from 'lucide-react'
import { useId } from 'react'
import { roleMay } from '@pazar/contract/permissions'
import { usePermissions } from '../api/members.ts'
import { hasInbox } from '../api/service-pages.ts'
import { useProject, useProjects } from '../api/projects.ts'
import { classNames } from '../ui/class-names.ts'
import { Choice } from '../ui/field.tsx'
import { words } from '../ui/language.ts'
import { useMode } from '../parts/mode.ts'
import { listPages, MENU_GROUPS, toProjectLinks } from './menu-pages.ts'

/**
 * Whether the role allows the page at this path. `unknown`: the project is not loaded yet, and the page needs more than the
 * right to read. While the state is `unknown`, the frame does not show the page, so the page makes no request.
 */
export function usePageAccess(projectId: string | null, path: string) {
  const { data: project, errorUpdateCount } = useProject(projectId)
  const page = listPages().find(({ to }) => projectId && path.endsWith(to.replace('$id', projectId)))
  if (!page || page.needs === 'read') return { state: 'allowed' } as const
  // If the project cannot be loaded, the page itself says what is wrong.
  if (!project) return { state: errorUpdateCount > 0 ? 'allowed' : 'unknown' } as const
  if (roleMay(project.role, page.needs)) return { state: 'allowed' } as const
  return { state: 'forbidden', project, page: page.label } as const
}

function useProjectLinks(projectId: string) {
  const may = usePermissions(projectId)
  const { data: project } = useProject(projectId)
  return toProjectLinks({ may, hasInbox: project !== undefined && hasInbox(project) })
}

const RAIL_LINK = 'flex min-h-11 items-center gap-3 rounded-control px-3 hover:bg-background lg:min-h-9'

const CURRENT = 'bg-surface font-medium lg:bg-raised text-accent shadow-current'

export function ProjectLinks({ projectId }: { projectId: string }) {
  const { frame } = words()
  const mode = useMode()
  const id = useId()
  const links = useProjectLinks(projectId)
  return (
    <nav aria-label={frame.projectMenu} className="grid gap-4">
      {MENU_GROUPS.map((group) => (
        <div key={group} className="grid gap-0.5 last:border-t last:border-line last:pt-4">
          {group === 'integration' && (
            <p id={`${id}-${group}`} className="px-3 pb-1 text-xs font-medium text-muted">
              {frame.integration}
            </p>
          )}
          <ul
            className="grid gap-0.5"
            aria-labelledby={group === 'integration' ? `${id}-${group}` : undefined}
          >
            {links
              .filter((link) => link.group === group)
              .map(({ to, label, Icon }) => (
                <li key={to}>
                  <Link
                    to={to}
                    params={{ id: projectId }}
                    search={{ mode }}
                    activeOptions={{ exact: true, includeSearch: false }}
                    activeProps={{ className: CURRENT }}
                    className={RAIL_LINK}
                  >
                    <Icon aria-hidden className="size-5 shrink-0 text-muted" />
                    {label}
                  </Link>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

export function ProjectList() {
  const { data } = useProjects()
  const { frame } = words()
  const isProjectsPage = useRouterState({ select: ({ location }) => location.pathname.endsWith('/projects') })
  const active = isProjectsPage ? [] : (data?.projects ?? []).filter(({ archivedAt }) => archivedAt === null)
  return (
    <nav aria-label={frame.projects} className="min-w-0">
      <ul className="grid grid-cols-1 gap-0.5">
        <li>
          <Link
            to="/projects"
            activeOptions={{ exact: true }}
            activeProps={{ className: CURRENT }}
            className={RAIL_LINK}
          >
            <LayoutGrid aria-hidden className="size-5 shrink-0 text-muted" />
            {frame.projects}
          </Link>
        </li>
        {active.map(({ id, name }) => (
          <li key={id}>
            <Link to="/projects/$id" params={{ id }} title={name} className={RAIL_LINK}>
              <Store aria-hidden className="size-5 shrink-0 text-muted" />
              <span className="min-w-0 truncate">{name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

export function TabBar({ projectId }: { projectId: string }) {
  const mode = useMode()
  const tabs = useProjectLinks(projectId).filter((link) => link.tab)
  return (
    <nav
      aria-label={words().frame.mainMenu}
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-raised lg:hidden"
    >
      <ul className="flex">
        {tabs.map(({ to, label, Icon }) => (
          <li key={to} className="min-w-0 flex-auto">
            <Link
              to={to}
              params={{ id: projectId }}
              search={{ mode }}
              activeOptions={{ exact: true, includeSearch: false }}
              activeProps={{ className: 'text-accent' }}
              inactiveProps={{ className: 'text-muted' }}
              className="grid min-h-16 place-content-center justify-items-center gap-1 px-0.5 text-xs"
            >
              <Icon aria-hidden className="size-5" />
              <span className="max-w-full truncate">{label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

export function ProjectSwitch({ projectId }: { projectId: string }) {
  const { data } = useProjects()
  const navigate = useNavigate()
  const projectOptions = (data?.projects ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const chosen = projectOptions.find((one) => one.value === projectId)
  // If the project is not in the list, an added option stands for it. Without this option, the browser would show the
  // first project as selected, and the user could not choose the first project.
  const options = chosen
    ? projectOptions
    : [{ value: projectId, label: words().account.tokens.form.chooseProject }, ...projectOptions]
  const role = data?.projects.find(({ id }) => id === projectId)?.role
  return (
    <div className={classNames('grid gap-1', !data && 'invisible')}>
      <Choice
        hideLabel
        label={words().frame.project}
        value={projectId}
        options={options}
        title={chosen?.label}
        // The link has no mode, because the router chooses a mode for each project.
        onChoice={(id) => void navigate({ to: '/projects/$id', params: { id } })}
      />
      {role && role !== 'owner' && (
        <p className="px-3 text-xs text-muted">
          {words().members.columns.role}: {words().members.roles[role]}
        </p>
      )}
    </div>
  )
}
