// One printed QR code for a wall or a counter, in both languages. It is dark on white in every theme.
import { HTML_LANG, LOCALES } from '@pazar/words'
import type { Locale, PortalWords } from '@pazar/words'
import { pageData } from '../../api/page-data.ts'
import { words } from '../../ui/language.ts'
import { formatAmount } from '../../parts/format-amount.ts'
import { classNames } from '../../ui/class-names.ts'
import type { ReadyLink } from './link-options.ts'

/** An A4 sheet is as large as four A6 sheets. */
export const CODES_PER_SHEET = { a4: 4, a6: 1 } as const
export type Paper = keyof typeof CODES_PER_SHEET

/** A longer amount is printed smaller, so that it does not wrap before the currency. */
const LARGE_AMOUNT_CHARS = 14

export interface PrintLabelProps {
  ready: ReadyLink
  projectName: string
  texts: Readonly<Record<Locale, PortalWords>>
}

export function PrintLabel({ ready, projectName, texts }: PrintLabelProps) {
  const { options, picture } = ready
  const amount = formatAmount(options.amount)
  return (
    <div data-theme="light" className="print-label bg-white text-ink">
      {options.mode === 'test' && (
        <p className="border border-test-text bg-test-bg px-2 py-1 text-sm font-strong text-test-text">
          {words().frame.testBar}
        </p>
      )}
      <p className="line-clamp-3 font-strong wrap-anywhere">{projectName}</p>
      {options.data !== '' && <p className="line-clamp-1 text-sm wrap-anywhere">{options.data}</p>}
      <p
        className={classNames(
          'font-strong tabular-nums',
          amount.length > LARGE_AMOUNT_CHARS ? 'text-lg' : 'text-xl',
        )}
      >
        {amount}
      </p>
      <img src={picture ?? undefined} alt={words().link.qrAlt(amount)} />
      {LOCALES.map((one) => (
        <p key={one} lang={HTML_LANG[one]} className="text-sm">
          {texts[one].link.sheet.scan}
        </p>
      ))}
      {/* The address that the QR code opens is printed too, so that people can notice a forged sticker. */}
      <p className="text-xs font-medium wrap-anywhere">{pageData.baseUrl}</p>
    </div>
  )
}
