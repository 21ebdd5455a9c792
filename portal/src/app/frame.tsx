// The frame of every signed-in page: the rail (the menu at the side) and the header. Pages of a project also get the
// mode switch and the test bar. On small screens, a button opens the rail as a sheet, and pages of a project get a tab
// bar.
import { Link, Outlet, useParams, useRouterState } from '@tanstack/react-router'
import { Suspense, useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { ChevronRight, Menu } from 'lucide-react'
import { useProjects } from '../api/projects.ts'
import { useAccount } from '../api/session.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Skeleton } from '../ui/states.tsx'
import { CommandMenu } from './command-menu.tsx'
import { OperatorName } from '../parts/operator-name.tsx'
import { words } from '../ui/language.ts'
import { ModeSwitch, NoMoneyBar } from './mode-switch.tsx'
import { ForbiddenPage } from './forbidden-page.tsx'
import { ProjectLinks, ProjectList, ProjectSwitch, TabBar, usePageAccess } from './project-menu.tsx'
import { AccountMenu } from './account-menu.tsx'
import { useIsMissingProject } from './project-pages.tsx'
import { ShortcutsDialog, useShortcuts } from './shortcuts.tsx'

/** `children` replace the route's page if the address is unknown. */
export function Frame({ children }: { children?: ReactNode }) {
  useAccount() // Checks the session when the user returns to the tab.
  const { id } = useParams({ strict: false })
  const requestedId = id ?? null
  // If the project does not exist, the rail has no links to its pages. The project switch stays.
  const projectId = useIsMissingProject(requestedId) ? null : requestedId
  const path = useRouterState({ select: (state) => state.location.pathname })
  const access = usePageAccess(projectId, path)
  const [areShortcutsOpen, setShortcutsOpen] = useState(false)
  const openShortcuts = useCallback(() => setShortcutsOpen(true), [])
  useShortcuts(openShortcuts)
  const rail = { requestedId, projectId, onShortcuts: openShortcuts }
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[16rem_1fr] print:block">
      <aside className="sticky top-0 hidden h-dvh flex-col justify-between gap-6 overflow-y-auto border-r border-line bg-surface p-4 lg:flex">
        <RailContents {...rail} />
      </aside>
      <div className="flex min-h-dvh min-w-0 flex-col pb-16 lg:pb-0">
        <header>
          {projectId && <NoMoneyBar />}
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-4 py-2 sm:flex-nowrap lg:px-8">
            <div className="flex min-w-0 items-center gap-2">
              <MenuButton key={path} {...rail} />
              <Breadcrumb projectId={projectId} path={children === undefined ? path : ''} />
            </div>
            <div className="flex shrink-0 items-center gap-2">
              <CommandMenu key={path} projectId={projectId} />
              {projectId && <ModeSwitch />}
            </div>
          </div>
        </header>
        <main
          id="content"
          className="mx-auto grid w-full max-w-[96rem] content-start gap-6 p-4 lg:p-8 print:p-0"
        >
          {projectId && <NarrowName projectId={projectId} path={path} />}
          <Suspense fallback={<Skeleton rows={4} />}>
            {access.state === 'unknown' && <Skeleton rows={4} />}
            {access.state === 'allowed' && (children ?? <Outlet />)}
            {access.state === 'forbidden' && <ForbiddenPage {...access} />}
          </Suspense>
        </main>
      </div>
      {projectId && <TabBar projectId={projectId} />}
      {areShortcutsOpen && <ShortcutsDialog onClose={() => setShortcutsOpen(false)} />}
    </div>
  )
}

function useProjectName(projectId: string | null): string | undefined {
  return useProjects().data?.projects.find((project) => project.id === projectId)?.name
}

/** For phones, where the header has no space for the project's name. The overview already shows the name as its title. */
function NarrowName({ projectId, path }: { projectId: string; path: string }) {
  const name = useProjectName(projectId)
  if (!name || path.endsWith(projectId)) return null
  return (
    <p title={name} className="-mb-4 truncate text-sm text-muted sm:hidden">
      {name}
    </p>
  )
}

function Breadcrumb({ projectId, path }: { projectId: string | null; path: string }) {
  const { frame } = words()
  const projectName = useProjectName(projectId)
  const own = path.endsWith('/projects/new') ? words().projects.add.title : projectName
  const name = /\/account(?:\/|$)/.test(path) ? frame.account : own
  return (
    <p className="flex min-w-0 items-center gap-2">
      {path.endsWith('/projects') ? (
        <span className="py-2">{frame.projects}</span>
      ) : (
        <Link to="/projects" className="shrink-0 py-2 text-muted underline underline-offset-4">
          {frame.projects}
        </Link>
      )}
      {name && (
        <>
          <ChevronRight aria-hidden className="hidden size-4 shrink-0 text-muted sm:block" />
          <span title={name} className="hidden truncate sm:block">
            {name}
          </span>
        </>
      )}
    </p>
  )
}

interface RailProps {
  /** The project in the address of the page, if there is one. */
  requestedId: string | null
  /** The same as `requestedId`, but null if that project does not exist. */
  projectId: string | null
  onShortcuts: () => void
  isInSheet?: boolean
}

function RailContents({ requestedId, projectId, onShortcuts, isInSheet = false }: RailProps) {
  return (
    <>
      <div className="grid grid-cols-1 gap-4">
        {!isInSheet && <Home />}
        {requestedId && <ProjectSwitch projectId={requestedId} />}
        {projectId ? <ProjectLinks projectId={projectId} /> : <ProjectList />}
      </div>
      <AccountMenu isInSheet={isInSheet} onShortcuts={onShortcuts} />
    </>
  )
}

function Home() {
  return (
    <Link to="/projects" className="px-3 py-2 text-lg font-strong wrap-anywhere">
      <OperatorName />
    </Link>
  )
}

/** The button has the path as its React key, so opening another page closes the sheet. */
function MenuButton(rail: RailProps) {
  const [open, setOpen] = useState(false)
  const { frame } = words()
  return (
    <>
      <button
        type="button"
        aria-label={frame.menu}
        onClick={() => setOpen(true)}
        className="-ml-2 grid size-11 place-items-center rounded-control hover:bg-surface lg:hidden"
      >
        <Menu aria-hidden className="size-5" />
      </button>
      {open && (
        <Dialog drawer title={frame.menu} onClose={() => setOpen(false)}>
          <RailContents
            {...rail}
            isInSheet
            onShortcuts={() => {
              setOpen(false)
              rail.onShortcuts()
            }}
          />
        </Dialog>
      )}
    </>
  )
}
