import { words } from '../../app/language.ts'

/** Newer services may do things this page has no words for yet. */
export function toActionText(action: string): string {
  const { actions } = words()
  const known: Record<string, string> = actions
  return known[action] ?? actions.other
}
