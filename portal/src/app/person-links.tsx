// The lower end of the rail: documentation, language, theme, account, sign-out.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { BookOpen, CircleUserRound, LogOut } from 'lucide-react'
import { HTML_LANG, LOCALE_LABEL, LOCALES } from '@pazar/words'
import type { Locale } from '@pazar/words'
import { changeAccount } from '../api/account.ts'
import { toErrorText } from '../api/api-error.ts'
import { findAccount, signOut, useAccount } from '../api/session.ts'
import { classNames } from '../ui/class-names.ts'
import { Choice, FieldError } from '../ui/field.tsx'
import { keepDraftsForReload } from './drafts.ts'
import { addressIn, locale, rememberLanguage, takeCarriedHash, words } from './language.ts'

const LINK = 'flex min-h-11 items-center gap-3 rounded-control px-3 hover:bg-background w-full text-left'
const ICON = 'size-5 shrink-0 text-muted'

export function PersonLinks() {
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
      {/* Whoever leaves a shared machine must know that he is still signed in. */}
      {error !== null && (
        <div role="alert" className="px-3">
          <FieldError text={toErrorText(error).title} />
        </div>
      )}
    </>
  )
}

export function ThemeChoice() {
  const { theme } = useAccount()
  const { frame } = words()
  const options = (['system', 'light', 'dark'] as const).map((value) => ({
    value,
    label: frame.theme[value],
  }))
  return (
    <Choice
      label={frame.theme.label}
      value={theme}
      options={options}
      // A look that could not be saved still holds on this page.
      onChoice={(value) => void changeAccount({ theme: value }).catch(() => undefined)}
    />
  )
}

/** Also for the command menu. */
export async function switchTo(wanted: Locale): Promise<void> {
  rememberLanguage(wanted)
  if (findAccount()) {
    // The page itself follows the address; what is lost is only the language of mails.
    await changeAccount({ locale: wanted }).catch(() => undefined)
  }
  keepDraftsForReload()
  location.assign(addressIn(wanted) + takeCarriedHash())
}

/** Links, so that the other language can also be opened in a tab of its own. */
export function LanguageSwitch({ label = words().frame.language }: { label?: string }) {
  return (
    <nav aria-label={label} className="flex flex-wrap gap-x-4">
      {LOCALES.map((one) => (
        <a
          key={one}
          href={addressIn(one)}
          lang={HTML_LANG[one]}
          aria-current={one === locale ? 'true' : undefined}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return
            event.preventDefault()
            if (one !== locale) void switchTo(one)
          }}
          className={classNames(
            'inline-flex min-h-11 items-center text-sm',
            one === locale ? 'font-strong' : 'text-muted underline underline-offset-4',
          )}
        >
          {LOCALE_LABEL[one]}
        </a>
      ))}
    </nav>
  )
}
