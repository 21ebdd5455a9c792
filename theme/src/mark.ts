// The product's mark: the awning of a market stall above a coin.
import { colours } from './tokens.ts'

/** The side of the square, in units of the path. */
export const MARK_SIZE = 32

/** The awning, then the coin. */
export const MARK_PATH =
  'M9 6.5h14l2 7.5a3 3 0 0 1-6 0a3 3 0 0 1-6 0a3 3 0 0 1-6 0zM12.3 22.3a3.7 3.7 0 1 0 7.4 0a3.7 3.7 0 1 0-7.4 0'

const { accent, onAccent } = colours.light

/** The mark always has the colours of the light theme, because a browser tab may not have the page's theme. */
export function toMarkSvg(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${MARK_SIZE} ${MARK_SIZE}"><rect width="${MARK_SIZE}" height="${MARK_SIZE}" rx="8" fill="${accent}"/><path d="${MARK_PATH}" fill="${onAccent}"/></svg>`
}
