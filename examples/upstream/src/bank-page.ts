// The bank's page on which a payer approves or declines: one card with the amount, what it is for, and two buttons, without
// script.
import type { Payment } from './ledger.ts'

const WORDS = {
  en: {
    tag: 'en-GB',
    title: 'Test bank',
    bar: 'Test: no real money',
    description: 'Description',
    order: 'Order ID',
    reference: 'Payment reference',
    note: 'Approve or decline this payment.',
    approve: 'Approve payment',
    decline: 'Decline payment',
    ended: {
      succeeded: 'This payment was already approved.',
      failed: 'This payment was already declined.',
      cancelled: 'This payment was cancelled.',
      other: 'This payment is being processed.',
    },
    at: (host: string) => `You are at ${host}`,
    back: 'Return to the payment',
    other: { lang: 'cnr', name: 'Crnogorski' },
  },
  cnr: {
    tag: 'sr-Latn-ME',
    title: 'Probna banka',
    bar: 'Proba: novac se ne naplaćuje',
    description: 'Opis',
    order: 'Broj narudžbe',
    reference: 'Referenca plaćanja',
    note: 'Odobrite ili odbijte plaćanje.',
    approve: 'Odobri plaćanje',
    decline: 'Odbij plaćanje',
    ended: {
      succeeded: 'Plaćanje je već odobreno.',
      failed: 'Plaćanje je već odbijeno.',
      cancelled: 'Plaćanje je otkazano.',
      other: 'Plaćanje je u obradi.',
    },
    at: (host: string) => `Nalazite se na adresi ${host}`,
    back: 'Povratak na plaćanje',
    other: { lang: 'en', name: 'English' },
  },
} as const

export type Language = keyof typeof WORDS

/** The language of `?lang=`. Without it, the first language of the browser that this page has, otherwise English. */
export function chooseLanguage(chosen: string | null, acceptLanguage = ''): Language {
  if (chosen === 'en' || chosen === 'cnr') return chosen
  const first = /\b(?:(en)|cnr|sr|bs|hr)\b/i.exec(acceptLanguage)
  return first && !first[1] ? 'cnr' : 'en'
}

const STYLE = `:root{color-scheme:light dark;--page:#f6f6f4;--card:#fff;--text:#16181d;--muted:#5b616b;--line:#d5d8dd;--control:#8a8f96;--fill:#0b5d4e;--on-fill:#fff}
@media(prefers-color-scheme:dark){:root{--page:#17181c;--card:#202327;--text:#eceef1;--muted:#a6adb7;--line:#3c424a;--control:#7d848d;--fill:#4fd1b5;--on-fill:#0d1f1b}}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{max-width:24rem;margin:max(16px,8vh) auto 0;padding:24px;background:var(--card);border:1px solid var(--line);border-radius:14px}
h1{margin:0;font-size:1.125rem}
p{margin:8px 0}
.amount{font-size:2rem;font-weight:700;line-height:1.2;overflow-wrap:anywhere}
.muted{color:var(--muted)}
.bar{padding:10px 12px;background:#f5c542;color:#1f1600;font-size:.875rem;font-weight:650;text-align:center}
dl{margin:16px 0;border-bottom:1px solid var(--line)}
dl div{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:0 24px;padding:10px 0;border-top:1px solid var(--line)}
dt{flex:none;max-width:50%;color:var(--muted)}
dd{min-width:0;margin:0 0 0 auto;text-align:right;overflow-wrap:anywhere}
.notice{margin:0 0 20px;padding:12px 16px;border:1px solid var(--line);border-radius:10px;background:var(--page)}
@media(max-width:440px){body{background:var(--card)}main{border:0;border-radius:0;margin-top:0}}
form{display:grid;gap:12px;margin-top:20px}
button,.button{box-sizing:border-box;display:block;width:100%;min-height:48px;padding:10px 16px;border:1px solid var(--fill);border-radius:10px;background:var(--fill);color:var(--on-fill);font:600 1rem/1.5 system-ui,sans-serif;text-align:center;text-decoration:none;cursor:pointer}
.second{background:none;border-color:var(--control);color:var(--text)}
:focus-visible{outline:3px solid var(--fill);outline-offset:2px}
footer{margin:24px 0;color:var(--muted);font-size:.875rem;text-align:center}
footer a{display:inline-block;padding:12px;color:inherit;text-decoration:none}
footer p{margin:0}`

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ESCAPES[char] ?? char)
}

/** Minor units as an amount: 4004 EUR with two decimals is “€40.04”, in Montenegrin “40,04 €”. */
export function toAmount(
  { amount, currency }: Pick<Payment, 'amount' | 'currency'>,
  scale: number,
  tag: string,
): string {
  const digits = { minimumFractionDigits: scale, maximumFractionDigits: scale }
  // A text instead of a number, so that large amounts keep all their digits.
  const decimal = `${amount}e-${scale}` as Intl.StringNumericLiteral
  // A payment that was cancelled before it arrived has no currency.
  const style = currency === '' ? {} : ({ style: 'currency', currency } as const)
  return new Intl.NumberFormat(tag, { ...digits, ...style }).format(decimal)
}

/** The reference that Pazar shows to the payer: the end of the payment's id. */
function toReference(id: string): string {
  const end = id.replaceAll('-', '').slice(-10).toUpperCase()
  return `${end.slice(0, 5)}-${end.slice(5)}`
}

/** A longer text is probably meant for programs, so it is not shown. */
const DESCRIPTION_MAX = 64

/** The text that the merchant gave the payment. Pazar sends it in the metadata, which it reads back unchanged. */
function findDescription({ metadata }: Payment): string | null {
  const { pazar_data: data } = (metadata ?? {}) as { pazar_data?: unknown }
  return typeof data === 'string' && data.length <= DESCRIPTION_MAX ? data : null
}

function toRows(payment: Payment, words: (typeof WORDS)[Language]): string {
  const rows = [
    [words.description, findDescription(payment)],
    [words.order, payment.customId],
    [words.reference, toReference(payment.id)],
  ] as const
  const shown = rows.filter(([, value]) => value !== null && value !== '')
  return `<dl>${shown.map(([label, value]) => `<div><dt>${label}</dt><dd><bdi>${escape(value ?? '')}</bdi></dd></div>`).join('')}</dl>`
}

export function toBankPage(
  payment: Payment,
  { scale, language, host }: { scale: number; language: Language; host: string },
): string {
  const words = WORDS[language]
  const back = payment.returnUrl
    ? `\n<a class="button" href="${escape(payment.returnUrl)}">${words.back}</a>`
    : ''
  const { ended } = words
  const endedText = Object.hasOwn(ended, payment.status)
    ? ended[payment.status as keyof typeof ended]
    : ended.other
  const choice = `<p class="muted">${words.note}</p>
<form method="post">
<button name="outcome" value="approve">${words.approve}</button>
<button class="second" name="outcome" value="decline">${words.decline}</button>
</form>`
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${words.title}</title>
<style>${STYLE}</style>
<div class="bar">⚠ ${words.bar}</div>
<main>
<h1>${words.title}</h1>
<p class="amount">${escape(toAmount(payment, scale, words.tag))}</p>
${toRows(payment, words)}
${payment.status === 'requires_action' ? choice : `<p class="notice">${endedText}</p>${back}`}
</main>
<footer><a href="?lang=${words.other.lang}" lang="${words.other.lang}">${words.other.name}</a><p>${escape(words.at(host))}</p></footer>
`
}
