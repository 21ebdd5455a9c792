import { words } from '../ui/language.ts'

/** A newer service may send actions that this page has no text for yet. */
export function toActionText(action: string): string {
  const { actions } = words()
  const known: Record<string, string> = actions
  return known[action] ?? actions.other
}

const TOKEN = 'token:'

/** Who did it: the owner, the operator, or a program of the owner, by the name of its token. */
export function toActorText(actor: string): string {
  const { actors } = words().settings
  if (actor.startsWith(TOKEN)) return actors.token(actor.slice(TOKEN.length))
  return actor === 'operator' ? actors.operator : actors.owner
}
