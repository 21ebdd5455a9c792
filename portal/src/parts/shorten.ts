/** The middle of a longer text is left out, because long URLs differ at the start and at the end. */
const SHOWN_MAX = 120

export function shorten(text: string): string {
  return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX / 2)}…${text.slice(-SHOWN_MAX / 2)}`
}
