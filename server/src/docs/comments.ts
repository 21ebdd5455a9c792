// Some comments in the Markdown of the guide become a QR code, a folded part or an attribute. All others are left out.
import { escapeHtml } from '../lib/html.ts'
import { drawQr } from '../paylinks/draw-qr.ts'

/** A paragraph that is shown only with one of several samples: `<!-- for: csharp -->`. */
const FOR_SAMPLE = /<!-{2} for: ([a-z]+) -{2}>/

/** A part that few readers need. It is folded, from `<!-- fold: In a shell -->` to `<!-- end fold -->`. */
const FOLD = /<!-{2} fold: (.+?) -{2}>/
const END_FOLD = /<!-{2} end fold -{2}>/

/** A QR code of a link, with a text for people who cannot see it: `<!-- qr: https://… | A code of … -->`. */
const QR = /<!-{2} qr: (\S+) \| (.+?) -{2}>/
const QR_SIZE_PX = 200

function toQrImage(link: string, alt: string): string {
  const { type, bytes } = drawQr(link, 'svg', QR_SIZE_PX)
  const source = `data:${type};base64,${bytes.toString('base64')}`
  return `<p><img src="${source}" alt="${escapeHtml(alt)}" width="${QR_SIZE_PX}" height="${QR_SIZE_PX}"></p>\n`
}

/** Comments for the search: the questions that a section answers, and search words that its text does not have. */
const HINTS = /^<!-{2} (?:questions|keywords): [\s\S]+?-{2}>\n+/gm

export function removeHints(markdown: string): string {
  return markdown.replaceAll(HINTS, '')
}

/**
 * Returns the HTML of a comment. For `<!-- for: csharp -->` this is `<!--for csharp-->`, which markdown.ts replaces with
 * an attribute of the next paragraph.
 */
export function renderComment(raw: string): string {
  const [, link, alt] = QR.exec(raw) ?? []
  if (link !== undefined && alt !== undefined) return toQrImage(link, alt)
  const fold = FOLD.exec(raw)?.[1]
  if (fold !== undefined) return `<details class="fold"><summary>${escapeHtml(fold)}</summary>\n`
  if (END_FOLD.test(raw)) return '</details>\n'
  const language = FOR_SAMPLE.exec(raw)?.[1]
  return language === undefined ? '' : `<!--for ${language}-->`
}
