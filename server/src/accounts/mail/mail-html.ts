// Renders the HTML of a mail. Many mail programs ignore style sheets, so styles are inline.
import { colours } from '@pazar/theme'
import { catalogue, HTML_LANG } from '@pazar/words'
import type { Locale, MailContact, MailText } from '@pazar/words'
import type { Html } from '../../lib/html.ts'
import { html } from '../../lib/html.ts'

const { surface, raised, text, muted, line, accent, onAccent } = colours.light
const BODY = `margin:0;padding:32px 12px;background:${surface};color:${text};font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif`
const SENDER = `max-width:560px;margin:0 auto 16px;padding:0 29px;font-size:18px;font-weight:700;letter-spacing:-.01em;color:${accent}`
const CARD = `max-width:560px;margin:0 auto;padding:32px 28px;background:${raised};border:1px solid ${line};border-radius:16px;overflow-wrap:break-word`
const HEADING = 'margin:0 0 16px;font-size:24px;line-height:1.25;letter-spacing:-.01em;text-wrap:balance'
const HERO = 'margin:0 0 20px;font-size:36px;line-height:1.15;font-weight:700;letter-spacing:-.02em'
const TABLE = `width:100%;margin:24px 0;border-collapse:collapse;border-bottom:1px solid ${line}`
const LABEL = `padding:10px 16px 10px 0;border-top:1px solid ${line};color:${muted};text-align:left;vertical-align:top;font-weight:400`
const VALUE = `padding:10px 0;border-top:1px solid ${line};text-align:right;vertical-align:top`
const BUTTON = `display:inline-block;padding:14px 20px;border-radius:12px;background:${accent};color:${onAccent};font-weight:650;text-align:center;text-decoration:none`
const FOOT = `max-width:560px;margin:16px auto 0;padding:0 29px;color:${muted};font-size:13px;overflow-wrap:anywhere`

/** A longer label may wrap. On one line, it would leave no room for the value on a phone. */
const LABEL_ON_ONE_LINE_MAX = 20

/** Words up to this length are not broken, so that a date or a reference stays whole. */
const WHOLE_WORD_MAX = 16
const BREAKS = ';overflow-wrap:anywhere;word-break:break-word'
/** In this size, a UUID fits on one line of a phone. */
const ID = `margin-top:2px;color:${text};font:12.5px/1.5 ui-monospace,Consolas,monospace;overflow-wrap:anywhere`
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const COMMAND = `margin:0 0 16px;padding:10px 14px;background:${surface};border-radius:8px;font:14px/1.5 ui-monospace,Consolas,monospace;overflow-wrap:anywhere`

/** An order ID with a hyphen, or a time with its zone, stays on one line if it has at most UNBROKEN_MAX characters. */
const UNBROKEN = /([^\s@/]+-[^\s@/]+|\d{2}:\d{2} [A-Z]{2,5})/
const UNBROKEN_MAX = 22

function toWhole(text: string): Html {
  return html`${text
    .split(UNBROKEN)
    .map((part, index) =>
      index % 2 === 1 && part.length <= UNBROKEN_MAX
        ? html`<span style="white-space:nowrap">${part}</span>`
        : html`${part.split(/(?<=\w\/)(?=\w)/).map((piece, at) => html`${at > 0 && html`<wbr />`}${piece}`)}`,
    )}`
}

function toLinked(text: string, contacts: readonly MailContact[] = []): Html {
  const contact = contacts.find(({ label }) => text.includes(label))
  if (!contact) return toWhole(text)
  const at = text.indexOf(contact.label)
  const others = contacts.filter((one) => one !== contact)
  return html`${toLinked(text.slice(0, at), others)}${toLink(contact)}${toLinked(text.slice(at + contact.label.length), others)}`
}

/** If the paragraph has several lines, the first line is a title. */
function toLines(paragraph: string, contacts: readonly MailContact[] = []): Html {
  const [first = '', ...others] = paragraph.split('\n')
  if (others.length === 0) return toLinked(paragraph, contacts)
  return html`<strong>${first}</strong>${others.map((line) => html`<br />${toWhole(line)}`)}`
}

function toLink({ href, label }: MailContact): Html {
  return html`<a href="${href}" style="color:${accent}">${label}</a>`
}

/**
 * Details become a table if all have the form `label: value`. The first row that repeats `hero`, the large amount above
 * the table, is left out.
 */
function toDetails(details: readonly string[], hero: string | undefined): Html {
  const pairs = details.map((detail) => /^([^:]{1,40}): (.+)$/s.exec(detail))
  if (pairs.some((pair) => pair === null))
    return html`<p>${details.map((detail, index) => html`${index > 0 && html`<br />`}${detail}`)}</p> `
  // If a row deducts the amount of `hero`, the rows are a calculation, and all of them stay.
  const isSum = pairs.some((pair) => pair?.[2] === `\u2212${hero}`)
  const repeated = hero === undefined || isSum ? -1 : pairs.findIndex((pair) => pair?.[2] === hero)
  const rows = pairs
    .filter((_, index) => index !== repeated)
    .map((pair) => {
      if (UUID.test(pair?.[2] ?? ''))
        return html`<tr>
      <th scope="row" colspan="2" style="${LABEL}">${pair?.[1]}<div style="${ID}">${pair?.[2]}</div></th>
    </tr> `
      const wrap = (pair?.[1]?.length ?? 0) > LABEL_ON_ONE_LINE_MAX ? '' : ';white-space:nowrap'
      const isLong = pair?.[2]?.split(' ').some((word) => word.length > WHOLE_WORD_MAX)
      return html`<tr>
      <th scope="row" style="${LABEL}${wrap}">${pair?.[1]}</th>
      <td style="${VALUE}${isLong ? BREAKS : ''}">${toValue(pair?.[2] ?? '')}</td>
    </tr> `
    })
  return html`<table style="${TABLE}"><tbody>${rows}</tbody></table> `
}

function toPoints(points: readonly string[]): Html {
  return html`<ul style="margin:0 0 16px;padding-left:20px">${points.map((point) => html`<li style="margin:0 0 6px">${point}</li> `)}</ul> `
}

function toAdvice(words: MailText): Html {
  const { advice, steps, contacts, command } = words
  const links = findUnlinked(words).map((contact) => html`<br />${toLink(contact)}`)
  const list = html`<ol style="margin:0 0 16px;padding-left:24px">${steps?.map((step) => html`<li style="margin:0 0 8px">${toLinked(step, contacts)}</li> `)}</ol> `
  const text = steps
    ? html`<p style="margin:0 0 8px"><strong>${advice}</strong>${links}</p> ${list}`
    : html`<p>${toLinked(advice, contacts)}${links}</p> `
  return html`${text}${command && html`<p style="${COMMAND}">${command}</p> `}`
}

/** An e-mail address may wrap after its @. */
function toValue(value: string): Html {
  const [name = '', ...rest] = value.split('@')
  return rest.length === 1 ? html`${name}@<wbr />${rest[0]}` : toWhole(value)
}

/** Returns the contacts whose label is in no text. These contacts need a line of their own. */
export function findUnlinked({
  contacts = [],
  paragraphs,
  advice,
  steps = [],
}: MailText): readonly MailContact[] {
  return contacts.filter(
    ({ label }) => ![...paragraphs, advice, ...steps].some((text) => text.includes(label)),
  )
}

/** `header` is the name above the card, and `signature` is the name below the closing. */
export function toMailHtml(
  { signature, header, isAdviceFirst }: { signature: string; header: string; isAdviceFirst: boolean },
  locale: Locale,
  words: MailText,
  link: string | null,
): string {
  const frame = catalogue(locale).mailFrame
  const button =
    link === null
      ? null
      : html`<p style="margin:24px 0"><a href="${link}" style="${BUTTON}">${words.action}</a></p> `
  const plainLink =
    link === null
      ? null
      : html`<p style="${FOOT}">
          ${frame.linkInstead}<br /><a href="${link}" style="color:${muted}">${link}</a>
        </p> `
  const { contacts } = words
  const advice = toAdvice(words)
  return html`<!doctype html>
    <html lang="${HTML_LANG[locale]}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <title>${words.subject}</title>
      </head>
      <body style="${BODY}">
        <div style="${SENDER}">${header}</div>
        <div style="${CARD}">
          <h1 style="${HEADING}">${toWhole(words.heading)}</h1>
          ${words.hero ? html`<p style="${HERO}">${words.hero}</p> ` : html`<p>${frame.greeting}</p> `}
          ${words.paragraphs.map((paragraph) => html`<p>${toLines(paragraph, contacts)}</p> `)}${words.points?.length ? toPoints(words.points) : null}${words.details ? toDetails(words.details, words.hero) : null}${isAdviceFirst ? html`${advice}${button}` : html`${button}${advice}`}
          <p style="margin-bottom:0">${frame.closing}<br />${signature}</p>
        </div>
        ${plainLink}<p style="${FOOT}">${words.why ?? frame.why}</p>
      </body>
    </html> `.text
}
