// The product's mark: the awning of a market stall above a coin. Drawn once, for page headers, browser tabs and home screens.
import { colours } from './tokens.ts'

/** The side of the square in which the mark is drawn. */
export const MARK_SIZE = 32

/** The awning, then the coin. */
export const MARK_PATH =
  'M9 6.5h14l2 7.5a3 3 0 0 1-6 0a3 3 0 0 1-6 0a3 3 0 0 1-6 0zM12.3 22.3a3.7 3.7 0 1 0 7.4 0a3.7 3.7 0 1 0-7.4 0'

const { accent, onAccent } = colours.light

/** A complete picture with the colours of the light theme, because browsers show it on tabs of any colour. */
export function toMarkSvg(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${MARK_SIZE} ${MARK_SIZE}"><rect width="${MARK_SIZE}" height="${MARK_SIZE}" rx="8" fill="${accent}"/><path d="${MARK_PATH}" fill="${onAccent}"/></svg>`
}
