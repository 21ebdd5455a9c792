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
    <nav
      aria-label={title}
      className="-mt-2 flex gap-x-6 overflow-x-auto border-b border-line whitespace-nowrap max-sm:gap-x-3 max-sm:text-sm"
    >
      {links.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true }}
          activeProps={{ className: 'border-accent font-medium' }}
          inactiveProps={{ className: 'border-transparent text-muted' }}
          className="flex min-h-11 shrink-0 items-center border-b-2 -outline-offset-3"
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
