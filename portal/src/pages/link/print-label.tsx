// One code as it hangs on a wall or stands on a counter: who asks, for how much, and what to do, in both languages. Always
// dark on white, whatever the theme.
import { HTML_LANG, LOCALES } from '@pazar/words'
import type { Locale, PortalWords } from '@pazar/words'
import { facts } from '../../app/facts.ts'
import { words } from '../../app/language.ts'
import { showMoney } from '../../app/money.ts'
import { classNames } from '../../ui/class-names.ts'
import type { ReadyLink } from './link-wish.ts'

/** How many fit one sheet: an A4 is four A6. */
export const CODES_ON = { a4: 4, a6: 1 } as const
export type Paper = keyof typeof CODES_ON

/** Longer ones would break before their currency. */
const LONG_AMOUNT = 14

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
        <p className="border border-test-text bg-test-bg px-2 py-1 text-sm font-strong text-test-text">
          {words().frame.testBar}
        </p>
      )}
      <p className="line-clamp-3 font-strong wrap-anywhere">{projectName}</p>
      {wish.data !== '' && <p className="line-clamp-1 text-sm wrap-anywhere">{wish.data}</p>}
      <p
        className={classNames(
          'font-strong tabular-nums',
          amount.length > LONG_AMOUNT ? 'text-lg' : 'text-xl',
        )}
      >
        {amount}
      </p>
      <img src={picture} alt={words().link.qrAlt(amount)} />
      {LOCALES.map((one) => (
        <p key={one} lang={HTML_LANG[one]} className="text-sm">
          {texts[one].link.sheet.scan}
        </p>
      ))}
      {/* Where the code must lead: a sticker over it can be noticed. */}
      <p className="text-xs font-medium wrap-anywhere">{facts.baseUrl}</p>
    </div>
  )
}
