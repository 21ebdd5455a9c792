import { HTML_LANG, LOCALE_LABEL, LOCALES } from '@pazar/words'
import type { Locale } from '@pazar/words'
import { changeAccount } from '../api/account.ts'
import { findAccount } from '../api/session.ts'
import { classNames } from '../ui/class-names.ts'
import { saveDraftsForReload } from '../ui/drafts.ts'
import { toUrlIn, locale, storeLanguage, findRemovedHash, entryWords } from '../ui/language.ts'

export async function switchLanguage(requested: Locale): Promise<void> {
  storeLanguage(requested)
  if (findAccount()) {
    // If this fails, the pages still get the new language from the URL and the cookie, but mails have the old language.
    await changeAccount({ locale: requested }).catch(() => undefined)
  }
  saveDraftsForReload()
  location.assign(toUrlIn(requested) + findRemovedHash())
}

/** The languages are links, so that the other language can be opened in a new tab. */
export function LanguageSwitch({ label = entryWords().frame.language }: { label?: string }) {
  return (
    <nav aria-label={label} className="flex flex-wrap gap-x-4">
      {LOCALES.map((one) => (
        <a
          key={one}
          href={toUrlIn(one)}
          lang={HTML_LANG[one]}
          aria-current={one === locale ? 'true' : undefined}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return
            event.preventDefault()
            if (one !== locale) void switchLanguage(one)
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
