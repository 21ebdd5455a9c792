import { Link } from '@tanstack/react-router'
import { words } from '../../ui/language.ts'

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
    <nav aria-label={title} className="-mt-2 flex flex-wrap gap-x-6 border-b border-line">
      {links.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true }}
          activeProps={{ className: 'border-accent font-medium' }}
          inactiveProps={{ className: 'border-transparent text-muted' }}
          className="-mb-px flex min-h-11 items-center border-b-2"
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
