import type { LinkProps } from '@tanstack/react-router'
import type { Mode, Permission, ProjectView, TransactionView } from '@pazar/contract'
import { formatRelativeTime } from '@pazar/words'
import type { Locale } from '@pazar/words'
import { changeAccount } from '../api/account.ts'
import { sendTestCallback } from '../api/deliveries.ts'
import { hasInbox } from '../api/service-pages.ts'
import { signOut } from '../api/session.ts'
import { toast } from '../ui/toasts.tsx'
import { roleMay } from '@pazar/contract/permissions'
import { locale, words } from '../ui/language.ts'
import { toSearchIn } from '../parts/mode.ts'
import { switchLanguage } from '../parts/language-switch.tsx'
import { toProjectLinks } from './menu-pages.ts'

export type Group = 'orders' | 'pages' | 'projects' | 'actions' | 'docs' | 'search'

export interface Entry {
  key: string
  group: Group
  label: string
  detail?: string
  payment?: TransactionView
  target: { link: LinkProps } | { href: string } | { run: () => Promise<LinkProps | void> }
}

export interface MenuContext {
  projectId: string | null
  mode: Mode
  projects: readonly ProjectView[]
  timeZone: string
}

/** Removes diacritics and capitals, so that "kljuc" finds "Ključ". */
function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(/đ/gi, 'd').toLowerCase()
}

export function toEntries(context: MenuContext, text: string, orders: readonly TransactionView[]): Entry[] {
  const isMatch = ({ label }: Entry) => fold(label).includes(fold(text))
  const matching = [...toPages(context), ...toProjects(context), ...toActions(context), ...toDocs()].filter(
    isMatch,
  )
  return [...toOrders(context, text, orders), ...matching, ...toSearches(context, text)]
}

function toOrders(
  { projectId: shownId, mode: shownMode, projects, timeZone }: MenuContext,
  text: string,
  orders: readonly TransactionView[],
): Entry[] {
  return orders.map((payment) => {
    const { id, projectId, mode, customId, data, reference, createdAt } = payment
    return {
      key: id,
      group: 'orders',
      label: customId ?? data ?? reference,
      payment,
      // The line must be short enough for a phone. So it names only what differs from the page: another project with
      // its mode, or the other mode of the same project.
      detail: [
        projectId !== shownId && projects.find((project) => project.id === projectId)?.name,
        (projectId !== shownId || mode !== shownMode) && words().frame[mode],
        formatRelativeTime(locale, new Date(createdAt), Date.now(), timeZone),
      ]
        .filter(Boolean)
        .join(' · '),
      target: {
        link: {
          to: '/projects/$id/transactions',
          params: { id: projectId },
          search: { mode, q: text, row: id },
        },
      },
    }
  })
}

/** Returns the entries that search the payments and the docs. They are offered for any text, so they come last. */
function toSearches({ projectId, mode, projects }: MenuContext, text: string): Entry[] {
  if (text === '') return []
  const { command } = words().frame
  const searchedId = projectId ?? projects[0]?.id
  const list: Entry[] =
    searchedId === undefined
      ? []
      : [
          {
            key: 'find',
            group: 'search',
            label: command.find(text),
            target: {
              link: {
                to: '/projects/$id/transactions',
                params: { id: searchedId },
                search: { mode, q: text },
              },
            },
          },
        ]
  const href = `/${locale}/docs/search?${new URLSearchParams({ q: text }).toString()}`
  return [...list, { key: 'search-docs', group: 'search', label: command.searchDocs(text), target: { href } }]
}

function toPages({ projectId, mode, projects }: MenuContext): Entry[] {
  const project = projects.find(({ id }) => id === projectId)
  const menu = {
    // While the projects load, only the pages of the role `support` are listed.
    may: (permission: Permission) => roleMay(project?.role ?? 'support', permission),
    hasInbox: project !== undefined && hasInbox(project),
  }
  const { frame } = words()
  const projectPages: Entry[] =
    projectId === null
      ? []
      : toProjectLinks(menu).map(({ to, label }) => ({
          key: to,
          group: 'pages',
          label,
          target: { link: { to, params: { id: projectId }, search: { mode } } },
        }))
  return [
    ...projectPages,
    { key: '/projects', group: 'pages', label: frame.projects, target: { link: { to: '/projects' } } },
    { key: '/account', group: 'pages', label: frame.account, target: { link: { to: '/account' } } },
  ]
}

function toProjects({ projects }: MenuContext): Entry[] {
  return projects.map(({ id, name }) => ({
    key: id,
    group: 'projects',
    label: name,
    target: { link: { to: '/projects/$id', params: { id } } },
  }))
}

function toActions({ projectId, mode }: MenuContext): Entry[] {
  const { frame, projects } = words()
  const { command } = frame
  const toAction = (key: string, label: string, run: () => Promise<LinkProps | void>): Entry => ({
    key,
    group: 'actions',
    label,
    target: { run },
  })
  const otherLocale: Locale = locale === 'cnr' ? 'en' : 'cnr'
  return [
    ...(projectId === null ? [] : toProjectActions(projectId, mode, toAction)),
    {
      key: 'new-project',
      group: 'actions',
      label: projects.list.add,
      target: { link: { to: '/projects/new' } },
    },
    toAction('language', command.otherLanguage, () => switchLanguage(otherLocale)),
    ...(['system', 'light', 'dark'] as const).map((theme) =>
      toAction(`theme-${theme}`, command.theme(frame.theme[theme]), async () => {
        await changeAccount({ theme })
      }),
    ),
    toAction('sign-out', frame.signOut, signOut),
  ]
}

function toProjectActions(
  projectId: string,
  mode: Mode,
  toAction: (key: string, label: string, run: () => Promise<LinkProps | void>) => Entry,
): Entry[] {
  const { frame, link } = words()
  const { command } = frame
  const otherMode: Mode = mode === 'test' ? 'live' : 'test'
  return [
    toAction('test-callback', command.testCallback, async () => {
      const { callback } = await sendTestCallback(projectId, link.sampleData)
      return {
        to: '/projects/$id/deliveries',
        params: { id: projectId },
        search: { mode: 'test', row: callback.id },
      }
    }),
    {
      key: 'mode',
      group: 'actions',
      label: otherMode === 'test' ? command.testMode : command.liveMode,
      target: { link: { to: '.', search: toSearchIn(otherMode) } },
    },
    toAction('copy-id', command.copyId, async () => {
      await navigator.clipboard.writeText(projectId)
      toast(frame.copied)
    }),
  ]
}

function toDocs(): Entry[] {
  return [
    { key: 'docs', group: 'docs', label: words().frame.documentation, target: { href: `/${locale}/docs` } },
  ]
}
