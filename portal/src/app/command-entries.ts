// What the command menu offers: the orders found, the pages of this project, all projects, things to do, and the guide.
import type { LinkProps } from '@tanstack/react-router'
import type { Mode, ProjectView, TransactionView } from '@pazar/contract'
import type { Locale } from '@pazar/words'
import { changeAccount } from '../api/account.ts'
import { sendTestCallback } from '../api/deliveries.ts'
import { signOut } from '../api/session.ts'
import { toast } from '../ui/toasts.tsx'
import { locale, words } from './language.ts'
import { showMoney } from './money.ts'
import { switchTo } from './person-links.tsx'
import { toProjectLinks } from './project-menu.tsx'

export type Group = 'orders' | 'pages' | 'projects' | 'actions' | 'docs' | 'search'

export interface Entry {
  key: string
  group: Group
  label: string
  detail?: string
  /** A page of the portal, an address outside it, or something to do, which may lead to a page. */
  goes: { link: LinkProps } | { href: string } | { run: () => Promise<LinkProps | void> }
}

export interface Place {
  projectId: string | null
  mode: Mode
  projects: readonly ProjectView[]
}

/** Letters without their marks, so that "kljuc" finds "ključ". */
function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(/đ/gi, 'd').toLowerCase()
}

export function toEntries(place: Place, text: string, orders: readonly TransactionView[]): Entry[] {
  const fits = ({ label }: Entry) => fold(label).includes(fold(text))
  const fitting = [...toPages(place), ...toProjects(place), ...toActions(place), ...toGuide()].filter(fits)
  return [...toOrders(place, text, orders), ...fitting, ...toSearches(place, text)]
}

function toOrders({ projects }: Place, text: string, orders: readonly TransactionView[]): Entry[] {
  const { states } = words().payments
  return orders.map(({ id, projectId, mode, customId, data, reference, amount, currency, scale, state }) => ({
    key: id,
    group: 'orders',
    label: customId ?? data ?? reference,
    detail: [
      showMoney(amount, { currency, scale }),
      states[state],
      projects.find((project) => project.id === projectId)?.name,
      mode === 'test' ? words().frame.test : null,
    ]
      .filter(Boolean)
      .join(' · '),
    goes: {
      link: {
        to: '/projects/$id/transactions',
        params: { id: projectId },
        search: { mode, q: text, row: id },
      },
    },
  }))
}

/** Last, because they always fit: the list of orders, and the guide's own search. */
function toSearches({ projectId, mode, projects }: Place, text: string): Entry[] {
  if (text === '') return []
  const { command } = words().frame
  const home = projectId ?? projects[0]?.id
  const list: Entry[] =
    home === undefined
      ? []
      : [
          {
            key: 'find',
            group: 'search',
            label: command.find(text),
            goes: {
              link: { to: '/projects/$id/transactions', params: { id: home }, search: { mode, q: text } },
            },
          },
        ]
  const href = `/${locale}/docs/search?${new URLSearchParams({ q: text }).toString()}`
  return [...list, { key: 'search-docs', group: 'search', label: command.searchDocs(text), goes: { href } }]
}

function toPages({ projectId, mode }: Place): Entry[] {
  const { frame } = words()
  const own: Entry[] =
    projectId === null
      ? []
      : toProjectLinks().map(({ to, label }) => ({
          key: to,
          group: 'pages',
          label,
          goes: { link: { to, params: { id: projectId }, search: { mode } } },
        }))
  return [
    ...own,
    { key: '/projects', group: 'pages', label: frame.projects, goes: { link: { to: '/projects' } } },
    { key: '/account', group: 'pages', label: frame.account, goes: { link: { to: '/account' } } },
  ]
}

function toProjects({ projects }: Place): Entry[] {
  return projects.map(({ id, name }) => ({
    key: id,
    group: 'projects',
    label: name,
    goes: { link: { to: '/projects/$id', params: { id } } },
  }))
}

function toActions({ projectId, mode }: Place): Entry[] {
  const { frame, projects } = words()
  const { command } = frame
  const act = (key: string, label: string, run: () => Promise<LinkProps | void>): Entry => ({
    key,
    group: 'actions',
    label,
    goes: { run },
  })
  const other: Locale = locale === 'cnr' ? 'en' : 'cnr'
  return [
    ...(projectId === null ? [] : toProjectActions(projectId, mode, act)),
    {
      key: 'new-project',
      group: 'actions',
      label: projects.list.add,
      goes: { link: { to: '/projects/new' } },
    },
    act('language', command.otherLanguage, () => switchTo(other)),
    ...(['system', 'light', 'dark'] as const).map((theme) =>
      act(`theme-${theme}`, command.theme(frame.theme[theme]), async () => {
        await changeAccount({ theme })
      }),
    ),
    act('sign-out', frame.signOut, signOut),
  ]
}

function toProjectActions(
  projectId: string,
  mode: Mode,
  act: (key: string, label: string, run: () => Promise<LinkProps | void>) => Entry,
): Entry[] {
  const { frame, link } = words()
  const { command } = frame
  const other: Mode = mode === 'test' ? 'live' : 'test'
  return [
    act('test-callback', command.testCallback, async () => {
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
      label: other === 'test' ? command.testMode : command.liveMode,
      goes: { link: { to: '.', search: (now: object) => ({ ...now, mode: other }) } },
    },
    act('copy-id', command.copyId, async () => {
      await navigator.clipboard.writeText(projectId)
      toast(frame.copied)
    }),
  ]
}

function toGuide(): Entry[] {
  return [
    { key: 'docs', group: 'docs', label: words().frame.documentation, goes: { href: `/${locale}/docs` } },
  ]
}
