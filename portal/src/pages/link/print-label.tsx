// One code as it hangs on a wall or stands on a counter: who asks, for how much, and what to do, in both languages. Always
// dark on white, whatever the theme.
import { HTML_LANG, LOCALES } from '@pazar/words'
import type { Locale, PortalWords } from '@pazar/words'
import { facts } from '../../app/facts.ts'
import { words } from '../../app/language.ts'
import { showMoney } from '../../app/money.ts'
import type { ReadyLink } from './link-wish.ts'

/** How many fit one sheet. */
export const CODES_ON = { a4: 6, a6: 1 } as const
export type Paper = keyof typeof CODES_ON

export interface PrintLabelProps {
  ready: ReadyLink
  projectName: string
  texts: Readonly<Record<Locale, PortalWords>>
}

export function PrintLabel({ ready, projectName, texts }: PrintLabelProps) {
  const { wish, picture } = ready
  const amount = showMoney(wish.amount)
  return (
    <div data-theme="light" className="print-label bg-white text-ink">
      {wish.mode === 'test' && (
        <p className="bg-test-bg px-2 py-1 text-sm font-strong text-test-text">{words().frame.testBar}</p>
      )}
      <p className="font-strong wrap-anywhere">{projectName}</p>
      {wish.data !== '' && <p className="line-clamp-2 text-sm wrap-anywhere">{wish.data}</p>}
      <p className="text-xl font-strong tabular-nums wrap-anywhere">{amount}</p>
      <img src={picture} alt={words().link.qrAlt(amount)} />
      {LOCALES.map((one) => (
        <p key={one} lang={HTML_LANG[one]} className="text-sm">
          {texts[one].link.sheet.scan}
        </p>
      ))}
      {LOCALES.map((one) => (
        <p key={one} lang={HTML_LANG[one]} className="text-xs wrap-anywhere">
          {texts[one].link.sheet.checkHost(facts.baseUrl)}
        </p>
      ))}
    </div>
  )
}
