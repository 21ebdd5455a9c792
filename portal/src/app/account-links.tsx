// The lower end of the rail: documentation, account, sign-out, theme, language.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { BookOpen, CircleUserRound, LogOut } from 'lucide-react'
import { toErrorText } from '../api/api-error.ts'
import { signOut } from '../api/session.ts'
import { LanguageSwitch } from '../parts/language-switch.tsx'
import { ThemeChoice } from '../parts/theme-choice.tsx'
import { FieldError } from '../ui/field.tsx'
import { locale, words } from '../ui/language.ts'

const LINK = 'flex min-h-11 items-center gap-3 rounded-control px-3 hover:bg-background w-full text-left'
const ICON = 'size-5 shrink-0 text-muted'

export function AccountLinks() {
  const { frame } = words()
  return (
    <div className="grid gap-0.5">
      <a href={`/${locale}/docs`} className={LINK}>
        <BookOpen aria-hidden className={ICON} />
        {frame.documentation}
      </a>
      <Link to="/account" className={LINK}>
        <CircleUserRound aria-hidden className={ICON} />
        {frame.account}
      </Link>
      <SignOut />
      <div className="grid gap-3 px-3 pt-3">
        <ThemeChoice />
        <LanguageSwitch />
      </div>
    </div>
  )
}

function SignOut() {
  const [error, setError] = useState<unknown>(null)
  return (
    <>
      <button type="button" className={LINK} onClick={() => void signOut().catch(setError)}>
        <LogOut aria-hidden className={ICON} />
        {words().frame.signOut}
      </button>
      {/* On a shared machine people must know that they are still signed in. */}
      {error !== null && (
        <div role="alert" className="px-3">
          <FieldError text={toErrorText(error).title} />
        </div>
      )}
    </>
  )
}
