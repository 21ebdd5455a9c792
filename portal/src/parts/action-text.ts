import { words } from '../ui/language.ts'

/** A newer service may send actions that this page has no text for yet. */
export function toActionText(action: string): string {
  const { actions } = words()
  const texts: Record<string, string> = actions
  return texts[action] ?? actions.other
}

const TOKEN_PREFIX = 'token:'

interface ActorContext {
  ownEmail: string
  /** The email of the person who created the token. */
  person?: string | null
}

/**
 * Who did it: a person by their email, the operator, or a program by the name of its token and the person who created the
 * token.
 */
export function toActorText(actor: string, { ownEmail, person }: ActorContext): string {
  const { actors } = words().settings
  if (actor === 'operator') return actors.operator
  if (actor === ownEmail) return actors.you
  // `owner` is the owner of an account, not of the project: a person who has closed their account and has no email any more.
  if (actor === 'owner') return actors.closed
  if (!actor.startsWith(TOKEN_PREFIX)) return actor
  const token = actors.token(actor.slice(TOKEN_PREFIX.length))
  return person && person !== ownEmail ? `${token} · ${person}` : token
}
