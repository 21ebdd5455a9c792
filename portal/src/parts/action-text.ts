import { words } from '../ui/language.ts'

/** A newer service may send actions for which this portal has no text. */
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

/** A program is named by its token. The person who created the token is named too, unless they are the signed-in user. */
export function toActorText(actor: string, { ownEmail, person }: ActorContext): string {
  const { actors } = words().settings
  if (actor === 'operator') return actors.operator
  if (actor === ownEmail) return actors.you
  // `owner` is a person who has closed their account, not the owner of the project.
  if (actor === 'owner') return actors.closed
  if (!actor.startsWith(TOKEN_PREFIX)) return actor
  const token = actors.token(actor.slice(TOKEN_PREFIX.length))
  return person && person !== ownEmail ? `${token} · ${person}` : token
}
