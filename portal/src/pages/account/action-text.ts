import { words } from '../../app/language.ts'

/** Newer services may do things this page has no words for yet. */
export function toActionText(action: string): string {
  const { actions } = words()
  const known: Record<string, string> = actions
  return known[action] ?? actions.other
}

const TOKEN = 'token:'

/** Who did it: the owner himself, the operator, or a program of the owner's by its token's name. */
export function toActorText(actor: string): string {
  const { actors } = words().settings
  if (actor.startsWith(TOKEN)) return actors.token(actor.slice(TOKEN.length))
  return actor === 'operator' ? actors.operator : actors.owner
}
