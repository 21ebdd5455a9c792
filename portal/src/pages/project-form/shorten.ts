/** Long addresses differ at their ends, and a wall of them hides what is asked. */
const SHOWN_MAX = 120

export function shorten(text: string): string {
  return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX / 2)}…${text.slice(-SHOWN_MAX / 2)}`
}
