// Finds ekavian, Croatian or Cyrillic words in a Montenegrin text. In JavaScript, `\b` knows only ASCII letters, so the
// patterns use look-arounds for letters.

const EKAVIAN = new RegExp(
  [
    String.raw`uspeš|obaveš|prover|(?<!\p{L})pre(?!\p{L})|sledeć|izmen[ie]|zamen[ie]|(?<!\p{L})vreme(?!\p{L})`,
    String.raw`mesec|nedelj|ponedeljak|primer(?!\p{L})|poslednj|bezbedn|(?<!\p{L})evra|zahtev|uspeh|uspel`,
    String.raw`(?<!\p{L})uvek|(?<!\p{L})gde(?!\p{L})|umesto|promen[aeiu]|izvešta|vrednost`,
    String.raw`(?<!\p{L})cen[aeu](?!\p{L})|rešenj`,
  ].join('|'),
  'giu',
)

const CROATIAN =
  /postavke|tjedan|tvrtk|jučer|korište|računal|siječ|veljač|zaslon|pohran|obavijest|preglednik|poslužitelj|sustav|uvjet|točn|tijekom|natrag/giu

const CYRILLIC = /\p{Script=Cyrillic}+/giu

/** The whole words that contain a wrong form. */
export function findWrongWords(text: string): string[] {
  const composed = text.normalize('NFC')
  return [EKAVIAN, CROATIAN, CYRILLIC].flatMap((pattern) =>
    Array.from(composed.matchAll(pattern), (match) => toWholeWord(composed, match.index, match[0].length)),
  )
}

function toWholeWord(text: string, start: number, length: number): string {
  const lettersBefore = /\p{L}*$/u.exec(text.slice(0, start))?.[0] ?? ''
  const lettersAfter = /^\p{L}*/u.exec(text.slice(start + length))?.[0] ?? ''
  return lettersBefore + text.slice(start, start + length) + lettersAfter
}
