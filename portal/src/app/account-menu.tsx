// The lower end of the rail (the menu at the side): documentation, language, and a menu of the account. On a small
// screen, the rail is a sheet and shows the contents of the account menu directly.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import {
  BookOpen,
  ChevronsUpDown,
  CircleUserRound,
  Keyboard,
  Languages,
  LogOut,
  ShieldCheck,
} from 'lucide-react'
import { toErrorText } from '../api/api-error.ts'
import { signOut, useAccount } from '../api/session.ts'
import { LanguageSwitch } from '../parts/language-switch.tsx'
import { ThemeChoice } from '../parts/theme-choice.tsx'
import { FieldError } from '../ui/field.tsx'
import { locale, words } from '../ui/language.ts'
import { Popup } from '../ui/popup.tsx'

const LINE = 'flex min-h-11 items-center gap-3 rounded-control px-3 w-full text-left lg:min-h-10'
const RAIL_LINE = `${LINE} hover:bg-background`
const MENU_LINE = `${LINE} hover:bg-surface whitespace-nowrap lg:text-sm`
const ICON = 'size-5 shrink-0 text-muted'

export interface AccountMenuProps {
  isInSheet?: boolean
  onShortcuts: () => void
}

export function AccountMenu({ isInSheet = false, onShortcuts }: AccountMenuProps) {
  const { frame } = words()
  const { email } = useAccount()
  return (
    <div className="grid grid-cols-1 gap-1">
      <a href={`/${locale}/docs`} className={RAIL_LINE}>
        <BookOpen aria-hidden className={ICON} />
        {frame.documentation}
      </a>
      {/* The languages are outside the menu, for people who cannot read the current language. */}
      {!isInSheet && (
        <div className="flex items-center gap-3 px-3">
          <Languages aria-hidden className={ICON} />
          <LanguageSwitch />
        </div>
      )}
      {isInSheet ? (
        <div className="grid gap-1 border-t border-line pt-3">
          <Email />
          <Contents onChoose={() => undefined} />
        </div>
      ) : (
        <Popup
          above
          title={email}
          buttonClass={`${RAIL_LINE} min-h-12 border border-line bg-raised`}
          button={
            <>
              <Initial email={email} />
              <span className="sr-only">{frame.accountMenu}</span>
              <span className="min-w-0 flex-1 truncate text-sm">{email}</span>
              <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
            </>
          }
        >
          {(close) => (
            <div className="-m-2 grid gap-1">
              <Email />
              <Contents
                onChoose={close}
                onShortcuts={() => {
                  close()
                  onShortcuts()
                }}
              />
            </div>
          )}
        </Popup>
      )}
    </div>
  )
}

function Initial({ email }: { email: string }) {
  return (
    <span
      aria-hidden
      className="grid size-7 shrink-0 place-items-center rounded-full bg-accent text-xs font-strong text-on-accent uppercase"
    >
      {email.slice(0, 1)}
    </span>
  )
}

function Email() {
  const { email } = useAccount()
  return (
    <p className="px-3 pt-1 pb-2 text-sm wrap-anywhere">
      <span className="block text-xs text-muted">{words().frame.signedInAs}</span>
      {email}
    </p>
  )
}

interface ContentsProps {
  onChoose: () => void
  /** Absent on a small screen, which usually has no keyboard. */
  onShortcuts?: () => void
}

function Contents({ onChoose, onShortcuts }: ContentsProps) {
  const { frame, account } = words()
  return (
    <>
      <Link to="/account" onClick={onChoose} activeOptions={{ exact: true }} className={MENU_LINE}>
        <CircleUserRound aria-hidden className={ICON} />
        {frame.account}
      </Link>
      <Link to="/account/security" onClick={onChoose} className={MENU_LINE}>
        <ShieldCheck aria-hidden className={ICON} />
        {account.tabs.security}
      </Link>
      {onShortcuts && (
        <button type="button" onClick={onShortcuts} className={MENU_LINE}>
          <Keyboard aria-hidden className={ICON} />
          {frame.shortcuts.title}
        </button>
      )}
      <div className="grid gap-2 border-y border-line px-3 py-3">
        <ThemeChoice />
        <LanguageSwitch label={frame.accountMenu} />
      </div>
      <SignOut />
    </>
  )
}

function SignOut() {
  const [error, setError] = useState<unknown>(null)
  return (
    <>
      <button type="button" className={MENU_LINE} onClick={() => void signOut().catch(setError)}>
        <LogOut aria-hidden className={ICON} />
        {words().frame.signOut}
      </button>
      {/* On a shared machine, people must know that they are still signed in. */}
      {error !== null && (
        <div role="alert" className="px-3">
          <FieldError text={toErrorText(error).title} />
        </div>
      )}
    </>
  )
}
