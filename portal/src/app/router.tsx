// Every page of the portal, with the parser of its query parameters. The base path is the language.
// Why this is long: one list of pages.
import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { lazy } from 'react'
import type { ComponentType } from 'react'
import { findOpeningMode } from '../api/stats.ts'
import { findAccount, toSignInUrl } from '../api/session.ts'
import { loadSecurityWords, loadSetupWords, loadWords, locale } from '../ui/language.ts'
import { Crashed, NotFound } from './fallback-pages.tsx'
import { ProjectPages } from './project-pages.tsx'
import { Root } from './root.tsx'
import {
  isProjectId,
  parseListSearch,
  parseModeSearch,
  parseMonthSearch,
  parseNext,
  parseQuery,
  parseRangeSearch,
  parseSettingsSearch,
  parseStatusSearch,
  writeQuery,
} from '../parts/search.ts'
import type { ModeSearch, RangeSearch } from '../parts/search.ts'

/** A page in its own chunk, loaded on first use. */
function page(load: () => Promise<{ Page: ComponentType }>) {
  return lazy(async () => ({ default: (await load()).Page }))
}

interface Opening {
  params: { id: string }
  search: ModeSearch & RangeSearch
}

/**
 * Adds a missing mode to the address: live if a live payment of the project has succeeded, otherwise test. The mode is
 * chosen before anything is drawn, so that no stats of the wrong mode appear.
 */
async function chooseMode({ params, search }: Opening): Promise<void> {
  if (search.mode || !isProjectId(params.id)) return
  const mode = await findOpeningMode(params.id)
  if (mode === null) return
  throw redirect({ to: '/projects/$id', params, search: { ...search, mode }, replace: true })
}

const root = createRootRoute({ component: Root, notFoundComponent: NotFound, errorComponent: Crashed })

const entry = [
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    validateSearch: parseNext,
    component: page(() => import('../pages/entry/sign-in-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/sign-up',
    validateSearch: parseNext,
    component: page(() => import('../pages/entry/sign-up-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/forgot',
    component: page(() => import('../pages/entry/forgot-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/reset',
    component: page(() => import('../pages/entry/reset-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/invitation',
    component: page(() => import('../pages/entry/invitation-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/confirm-email',
    component: page(() => import('../pages/entry/confirm-email-page.tsx')),
  }),
] as const

const index = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/projects' })
  },
})

// The service redirects visitors without a session to the sign-in page, but only from addresses that it knows. This
// function redirects them from all other addresses.
async function requireAccount(): Promise<void> {
  if (findAccount()) return loadWords()
  location.replace(toSignInUrl())
  // Nothing is drawn until the browser has left the page.
  await new Promise(() => undefined)
}

/** For signed-in people, the frame is loaded at the same time as the texts. */
const loadFrame = () => import('./frame.tsx')
if (findAccount()) void loadFrame().catch(() => undefined) // The route requests it again and shows the error.

const framed = createRoute({
  getParentRoute: () => root,
  id: 'framed',
  beforeLoad: requireAccount,
  component: lazy(async () => ({ default: (await loadFrame()).Frame })),
})

const projects = createRoute({
  getParentRoute: () => framed,
  path: '/projects',
  component: page(() => import('../pages/projects/page.tsx')),
})
const newProject = createRoute({
  getParentRoute: () => framed,
  path: '/projects/new',
  component: page(() => import('../pages/new-project/page.tsx')),
})
const project = createRoute({
  getParentRoute: () => framed,
  path: '/projects/$id',
  validateSearch: parseModeSearch,
  component: ProjectPages,
})
const projectPages = [
  createRoute({
    getParentRoute: () => project,
    path: '/',
    validateSearch: parseRangeSearch,
    beforeLoad: chooseMode,
    component: page(() => import('../pages/overview/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/transactions',
    validateSearch: parseListSearch,
    component: page(() => import('../pages/transactions/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/deliveries',
    validateSearch: parseListSearch,
    component: page(() => import('../pages/deliveries/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/statement',
    validateSearch: parseMonthSearch,
    component: page(() => import('../pages/statement/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/link',
    component: page(() => import('../pages/link/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/status',
    validateSearch: parseStatusSearch,
    component: page(() => import('../pages/status/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/exam',
    beforeLoad: loadSetupWords,
    component: page(() => import('../pages/exam/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/debug',
    beforeLoad: loadSetupWords,
    component: page(() => import('../pages/debug/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/inbox',
    component: page(() => import('../pages/inbox/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/quickstart',
    beforeLoad: loadSetupWords,
    component: page(() => import('../pages/quickstart/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/keys',
    beforeLoad: loadSetupWords,
    component: page(() => import('../pages/keys/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/members',
    component: page(() => import('../pages/members/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/settings',
    validateSearch: parseSettingsSearch,
    component: page(() => import('../pages/settings/page.tsx')),
  }),
] as const

const account = [
  createRoute({
    getParentRoute: () => framed,
    path: '/account',
    component: page(() => import('../pages/account/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => framed,
    path: '/account/security',
    beforeLoad: loadSecurityWords,
    component: page(() => import('../pages/account/security/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => framed,
    path: '/account/sessions',
    component: page(() => import('../pages/account/sessions-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => framed,
    path: '/account/tokens',
    component: page(() => import('../pages/account/tokens-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => framed,
    path: '/account/audit',
    component: page(() => import('../pages/account/audit-page.tsx')),
  }),
] as const

export const router = createRouter({
  routeTree: root.addChildren([
    index,
    ...entry,
    framed.addChildren([projects, newProject, project.addChildren(projectPages), ...account]),
  ]),
  basepath: `/${locale}`,
  parseSearch: parseQuery,
  stringifySearch: writeQuery,
  scrollRestoration: true,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: Crashed,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
