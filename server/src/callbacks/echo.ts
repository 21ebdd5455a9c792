// Finds our signatures in a text that a merchant's server sent back, even if they are escaped, encoded or broken into
// lines. The text is decoded in several ways, and only letters and digits are compared.

/** Short enough to find a part of a signature, and too long to match by chance. */
const PIECE_LENGTH = 8
/**
 * Three layers are searched: the text, its decodings, and the decodings of these decodings. `unescapeAll` also makes at
 * most three passes, because escapes can contain escapes.
 */
const LAYERS_MAX = 3
/** Shorter runs are not decoded, because ordinary texts contain them too. */
const BASE64_RUN = /[A-Za-z0-9+/_-]{20,}/g
const HEX_RUN = /(?:[0-9a-f]{2}[\s:,.-]{0,2}){10,}/gi
/** A pretty-printed list has a line break and an indent between two numbers. */
const BYTE_LIST = /(?:\b\d{2,3}[,\s]{1,20}){10,}\d{2,3}/g

export type EchoFinder = (text: string) => boolean

export function createEchoFinder(signatures: readonly string[]): EchoFinder {
  const pieces = [...new Set(signatures.flatMap(toPieces))]
  if (pieces.length === 0) return () => false
  const anyPiece = new RegExp(pieces.join('|'))
  const hasPiece = (text: string): boolean => anyPiece.test(toLettersAndDigits(text))

  return (text) => {
    let layer = [text.replaceAll('\0', '')]
    for (let depth = 0; depth < LAYERS_MAX && layer.length > 0; depth += 1) {
      const decoded = layer.map(unescapeAll)
      if (layer.some(hasPiece) || decoded.some(hasPiece)) return true
      layer = decoded
        .flatMap((one) => [readBase64(one), readHex(one), readByteList(one)])
        .filter((one) => one.length >= PIECE_LENGTH)
    }
    return false
  }
}

function toLettersAndDigits(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]+/g, '').toLowerCase()
}

function toPieces(signature: string): string[] {
  return toLettersAndDigits(signature).match(new RegExp(`.{${PIECE_LENGTH}}`, 'g')) ?? []
}

const ESCAPE =
  /[\\%]u\{?([0-9a-f]{4})\}?|\\x([0-9a-f]{2})|%([0-9a-f]{2})|=([0-9a-f]{2})|&#x([0-9a-f]{1,6});|&#(\d{1,7});|(&amp;)|&[a-z]{2,8};|=\r?\n|\\[rn]/gi

/**
 * Replaces escapes by their characters. Drops escapes that cannot be part of a signature: those of line breaks and of
 * characters outside ASCII, and most HTML entities.
 */
function unescapeAll(text: string): string {
  let decoded = text
  for (let pass = 0; pass < LAYERS_MAX; pass += 1) {
    const next = decoded.replaceAll(ESCAPE, toCharacter)
    if (next === decoded) break
    decoded = next
  }
  return decoded
}

function toCharacter(_whole: string, ...groups: (string | undefined)[]): string {
  const [js4, js2, url, quoted, html16, html10, ampersand] = groups
  if (ampersand) return '&'
  const code = html10 ? Number(html10) : Number.parseInt(js4 ?? js2 ?? url ?? quoted ?? html16 ?? '', 16)
  return code < 0x80 ? String.fromCharCode(code) : ''
}

/** A run may begin with characters that are not part of the base64, so each run is decoded at four offsets. */
function readBase64(text: string): string {
  const runs = text.replaceAll(/\r?\n[ \t]*/g, '').match(BASE64_RUN) ?? []
  return [0, 1, 2, 3]
    .flatMap((offset) => runs.map((run) => Buffer.from(run.slice(offset), 'base64').toString('latin1')))
    .join(' ')
}

function readHex(text: string): string {
  const runs = (text.replaceAll(/0x/gi, '').match(HEX_RUN) ?? []).map((run) =>
    run.replaceAll(/[^0-9a-f]/gi, ''),
  )
  return [0, 1]
    .flatMap((offset) => runs.map((run) => Buffer.from(run.slice(offset), 'hex').toString('latin1')))
    .join(' ')
}

function readByteList(text: string): string {
  const lists = text.match(BYTE_LIST) ?? []
  return lists.map((list) => Buffer.from((list.match(/\d+/g) ?? []).map(Number)).toString('latin1')).join(' ')
}
