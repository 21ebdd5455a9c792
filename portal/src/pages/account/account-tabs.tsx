import { Link } from '@tanstack/react-router'
import { words } from '../../ui/language.ts'
import { TAB, Tabs } from '../../ui/tabs.tsx'

export function AccountTabs() {
  const { tabs, title } = words().account
  const links = [
    { to: '/account', label: tabs.general },
    { to: '/account/security', label: tabs.security },
    { to: '/account/sessions', label: tabs.sessions },
    { to: '/account/tokens', label: tabs.tokens },
    { to: '/account/audit', label: tabs.audit },
  ] as const
  return (
    <Tabs label={title}>
      {links.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true }}
          activeProps={TAB.active}
          inactiveProps={TAB.inactive}
        >
          {label}
        </Link>
      ))}
    </Tabs>
  )
}
