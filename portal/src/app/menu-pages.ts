// The pages of a project, for its menu and the command menu.
import {
  ArrowLeftRight,
  CircleCheckBig,
  ClipboardCheck,
  House,
  Inbox,
  KeyRound,
  QrCode,
  ReceiptText,
  Rocket,
  ScanSearch,
  Send,
  Settings,
  Users,
} from 'lucide-react'
import type { Permission } from '@pazar/contract'
import { words } from '../ui/language.ts'

export interface MenuProject {
  may: (permission: Permission) => boolean
  hasInbox: boolean
}

export const MENU_GROUPS = ['work', 'integration', 'project'] as const

/** `tab`: the page is also in the tab bar of small screens. `needs`: the permission that the page requires. */
export function listPages() {
  const { frame, statement, inbox, members } = words()
  const work = { group: 'work', tab: false } as const
  const integration = { group: 'integration', tab: false } as const
  const project = { group: 'project', tab: false } as const
  return [
    { ...work, to: '/projects/$id', label: frame.overview, Icon: House, tab: true, needs: 'read' },
    {
      ...work,
      to: '/projects/$id/transactions',
      label: frame.transactions,
      Icon: ArrowLeftRight,
      tab: true,
      needs: 'read',
    },
    {
      ...work,
      to: '/projects/$id/deliveries',
      label: frame.deliveries,
      Icon: Send,
      tab: true,
      needs: 'read',
    },
    { ...work, to: '/projects/$id/statement', label: statement.title, Icon: ReceiptText, needs: 'money' },
    { ...work, to: '/projects/$id/link', label: frame.link, Icon: QrCode, tab: true, needs: 'operate' },
    {
      ...integration,
      to: '/projects/$id/quickstart',
      label: frame.quickstart,
      Icon: Rocket,
      needs: 'operate',
    },
    {
      ...integration,
      to: '/projects/$id/keys',
      label: frame.keys,
      Icon: KeyRound,
      tab: true,
      needs: 'configure',
    },
    { ...integration, to: '/projects/$id/inbox', label: inbox.title, Icon: Inbox, needs: 'operate' },
    { ...integration, to: '/projects/$id/status', label: frame.status, Icon: CircleCheckBig, needs: 'read' },
    { ...integration, to: '/projects/$id/exam', label: frame.exam, Icon: ClipboardCheck, needs: 'operate' },
    { ...integration, to: '/projects/$id/debug', label: frame.debug, Icon: ScanSearch, needs: 'operate' },
    { ...project, to: '/projects/$id/members', label: members.title, Icon: Users, needs: 'read' },
    { ...project, to: '/projects/$id/settings', label: frame.settings, Icon: Settings, needs: 'read' },
  ] as const
}

export function toProjectLinks({ may, hasInbox }: MenuProject) {
  return listPages().filter(({ to, needs }) => may(needs) && (hasInbox || to !== '/projects/$id/inbox'))
}
