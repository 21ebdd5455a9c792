// The bank's page on which a payer approves or declines a payment.
import type { Payment } from './ledger.ts'

const WORDS = {
  en: {
    tag: 'en-GB',
    title: 'Test bank',
    bar: 'Test: no real money',
    merchant: 'Merchant',
    page: 'Payment page',
    description: 'Description',
    order: 'Order ID',
    reference: 'Payment reference',
    note: 'Approve or decline this payment.',
    approve: 'Approve payment',
    decline: 'Decline payment',
    ended: {
      succeeded: 'This payment is approved.',
      failed: 'This payment was declined. Return to see what you can do next.',
      cancelled: 'This payment was cancelled. Return to see what you can do next.',
      other: 'This payment is being processed. Return to see the result.',
    },
    at: (host: string) => `You are at ${host}`,
    back: 'Return to the payment',
    receipt: 'Show the receipt',
    other: { lang: 'cnr', name: 'Crnogorski' },
  },
  cnr: {
    tag: 'sr-Latn-ME',
    title: 'Testna banka',
    bar: 'Test: novac se ne naplaćuje',
    merchant: 'Prodavac',
    page: 'Stranica za plaćanje',
    description: 'Opis',
    order: 'Broj narudžbe',
    reference: 'Referenca plaćanja',
    note: 'Odobrite ili odbijte plaćanje.',
    approve: 'Odobri plaćanje',
    decline: 'Odbij plaćanje',
    ended: {
      succeeded: 'Plaćanje je odobreno.',
      failed: 'Plaćanje je odbijeno. Vratite se da vidite šta možete dalje.',
      cancelled: 'Plaćanje je otkazano. Vratite se da vidite šta možete dalje.',
      other: 'Plaćanje je u obradi. Vratite se da vidite ishod.',
    },
    at: (host: string) => `Nalazite se na adresi ${host}`,
    back: 'Povratak na plaćanje',
    receipt: 'Prikaži potvrdu',
    other: { lang: 'en', name: 'English' },
  },
} as const

export type Language = keyof typeof WORDS

/** The language of `?lang=`, else the first known language of the browser, else English. */
export function chooseLanguage(chosen: string | null, acceptLanguage = ''): Language {
  if (chosen === 'en' || chosen === 'cnr') return chosen
  const first = /\b(?:(en)|cnr|sr|bs|hr)\b/i.exec(acceptLanguage)
  return first && !first[1] ? 'cnr' : 'en'
}

const STYLE = `:root{color-scheme:light dark;--page:#f7f7f5;--card:#fff;--text:#17191c;--muted:#5b6169;--line:#e3e4e0;--control:#8a8f96;--fill:#0b5d50;--on-fill:#fff;--ok:#176b3a;--ok-bg:#e6f4ea;--no:#b3261e;--no-bg:#fdecea;--info:#1c4fa3;--info-bg:#e8f0fc}
@media(prefers-color-scheme:dark){:root{--page:#17191c;--card:#1f2226;--text:#eceef0;--muted:#a3a9b1;--line:#2b2f34;--control:#6f757d;--fill:#4fd1b5;--on-fill:#06231d;--ok:#7bd69a;--ok-bg:#12281b;--no:#ff8a80;--no-bg:#34110f;--info:#8db8ff;--info-bg:#12213b}}
*{box-sizing:border-box}
body{display:flex;flex-direction:column;min-height:100vh;margin:0;background:var(--card);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main,footer{width:100%;max-width:480px;margin:0 auto;padding:24px 20px}
h1{margin:0;font-size:20px;line-height:1.3;font-weight:650}
p{margin:8px 0 0}
.amount{margin:12px 0 24px;font-size:44px;font-weight:650;line-height:1.1;letter-spacing:-.02em;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.long{font-size:28px}
.bar{padding:10px 12px;background:#f5c542;color:#2b1d00;font-size:14px;font-weight:650;text-align:center}
dl{margin:24px 0 0;border-bottom:1px solid var(--line)}
dl div{display:flex;justify-content:space-between;gap:24px;padding:12px 0;border-top:1px solid var(--line)}
dt{flex:none;max-width:50%;color:var(--muted)}
dd{min-width:0;margin:0;text-align:right;overflow-wrap:anywhere}
.notice{display:flex;gap:10px;margin:0;padding:14px;border-radius:12px;background:var(--info-bg);color:var(--info);font-weight:650}
.ok{background:var(--ok-bg);color:var(--ok)}
.no{background:var(--no-bg);color:var(--no)}
form{display:grid;gap:12px}form,.button{margin-top:24px}
button,.button{display:flex;align-items:center;justify-content:center;width:100%;min-height:52px;padding:8px 16px;border:1px solid transparent;border-radius:12px;background:var(--fill);color:var(--on-fill);font:650 16px/1.5 system-ui,sans-serif;text-decoration:none;cursor:pointer}
.second{background:none;border-color:var(--control);color:var(--text)}
:focus-visible{outline:3px solid var(--fill);outline-offset:3px}
footer{margin-top:auto;color:var(--muted);font-size:14px;text-align:center}
footer a{display:inline-block;padding:12px;color:inherit;text-decoration:none}
footer p{margin:0}
@media(min-width:480px){body{background:var(--page)}main{padding-top:min(9vh,88px)}footer{margin-top:0}.card{padding:36px;background:var(--card);border:1px solid var(--line);border-radius:20px;box-shadow:0 24px 48px -32px #0003}}`

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ESCAPES[char] ?? char)
}

/** The amount 4004 in EUR with the scale 2 is “€40.04” in English and “40,04 €” in Montenegrin. */
export function toAmount(
  { amount, currency }: Pick<Payment, 'amount' | 'currency'>,
  scale: number,
  tag: string,
): string {
  const digits = { minimumFractionDigits: scale, maximumFractionDigits: scale }
  // A string, because a number would lose digits of large amounts.
  const decimal = `${amount}e-${scale}` as Intl.StringNumericLiteral
  // A payment may be cancelled before the request that creates it arrives. Then its currency is not known.
  const style = currency === '' ? {} : ({ style: 'currency', currency } as const)
  return new Intl.NumberFormat(tag, { ...digits, ...style }).format(decimal)
}

/** The reference that Pazar shows to the payer: the end of the payment's id. */
function toReference(id: string): string {
  const end = id.replaceAll('-', '').slice(-10).toUpperCase()
  return `${end.slice(0, 5)}-${end.slice(5)}`
}

/** How many characters a shown text of the metadata may have. A longer text is probably meant for programs. */
const TEXT_MAX = 80

/** A short text of the metadata, for example the name of a verified merchant. */
function findText({ metadata }: Payment, key: 'pazar_data' | 'pazar_merchant'): string | null {
  const { [key]: text } = (metadata ?? {}) as Record<string, unknown>
  return typeof text === 'string' && text.length <= TEXT_MAX ? text : null
}

/** The verified name of the merchant, else the host of the page to which the payer returns. */
function toPayee(payment: Payment, words: (typeof WORDS)[Language]): readonly [string, string | null] {
  const name = findText(payment, 'pazar_merchant')
  if (name !== null) return [words.merchant, name]
  const { returnUrl } = payment
  return [words.page, returnUrl !== null && URL.canParse(returnUrl) ? new URL(returnUrl).host : null]
}

function toRows(payment: Payment, words: (typeof WORDS)[Language]): string {
  const rows = [
    toPayee(payment, words),
    [words.description, findText(payment, 'pazar_data')],
    [words.order, payment.customId],
    [words.reference, toReference(payment.id)],
  ] as const
  const shown = rows.filter(([, value]) => value !== null && value !== '')
  return `<dl>${shown.map(([label, value]) => `<div><dt>${label}</dt><dd><bdi>${escape(value ?? '')}</bdi></dd></div>`).join('')}</dl>`
}

function toEnded({ status }: Payment, { ended }: (typeof WORDS)[Language]): string {
  const text = Object.hasOwn(ended, status) ? ended[status as keyof typeof ended] : ended.other
  const [style, sign] = status === 'succeeded' ? ['ok', '✓'] : status === 'failed' ? ['no', '✕'] : ['', 'i']
  return `<p class="notice ${style}"><span aria-hidden="true">${sign}</span><span>${text}</span></p>`
}

function toWayBack({ status, returnUrl }: Payment, { back, receipt }: (typeof WORDS)[Language]): string {
  if (!returnUrl) return ''
  return `<a class="button" href="${escape(returnUrl)}">${status === 'succeeded' ? receipt : back}</a>`
}

/** How many characters fit on the screen of a phone at the font size of `.amount`. A longer amount is shown smaller. */
const AMOUNT_LARGE_MAX = 12

export function toBankPage(
  payment: Payment,
  { scale, language, host }: { scale: number; language: Language; host: string | undefined },
): string {
  const words = WORDS[language]
  const amount = toAmount(payment, scale, words.tag)
  const choice = `<form method="post">
<button name="outcome" value="approve">${words.approve}</button>
<button class="second" name="outcome" value="decline">${words.decline}</button>
</form>`
  const isOpen = payment.status === 'requires_action'
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${words.title}</title>
<style>${STYLE}</style>
<div class="bar">⚠ ${words.bar}</div>
<main><div class="card">
<h1>${words.title}</h1>
<p class="amount${amount.length > AMOUNT_LARGE_MAX ? ' long' : ''}">${escape(amount)}</p>
${isOpen ? `<p>${words.note}</p>` : toEnded(payment, words)}
${toRows(payment, words)}
${isOpen ? choice : toWayBack(payment, words)}
</div></main>
<footer><a href="?lang=${words.other.lang}" lang="${words.other.lang}">${words.other.name}</a>${host ? `<p>${escape(words.at(host))}</p>` : ''}</footer>
`
}
