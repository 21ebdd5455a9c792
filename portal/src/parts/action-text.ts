import { words } from '../ui/language.ts'

/** A newer service may send actions that this page has no text for yet. */
export function toActionText(action: string): string {
  const { actions } = words()
  const texts: Record<string, string> = actions
  return texts[action] ?? actions.other
}

const TOKEN = 'token:'

/** Who did it: a person by their e-mail, the operator, or a program by the name of its token and its maker. */
export function toActorText(actor: string, { own, person }: { own: string; person?: string | null }): string {
  const { actors } = words().settings
  if (actor === 'operator') return actors.operator
  if (!actor.startsWith(TOKEN)) return actor === own ? actors.you : actor === 'owner' ? actors.closed : actor
  const token = actors.token(actor.slice(TOKEN.length))
  return person && person !== own ? `${token} · ${person}` : token
}
