// What this browser last did with a link, in a cookie of its own: Back, reload and a second window lead to that payment
// instead of to a second one. Sealed and bound to the link, so that nobody can hand a browser somebody else's attempt.
// With a customId the database holds the order as well; the cookie then only tells whose window this is.
import { z } from 'zod'
import { toLinkKey } from '../paylinks/pay-link.ts'
import type { PayLink } from '../paylinks/pay-link.ts'
import type { Visit } from './visit.ts'

const MEMORY_MAX_AGE_SEC = 60 * 60
/** Some two hundred bytes each: more would crowd the request's headers, which are refused past 16 KiB. */
const LINKS_REMEMBERED_MAX = 12

const sealedMemory = z.object({
  id: z.uuid(),
  at: z.int(),
  exp: z.string().nullable(),
  sig: z.string().nullable(),
})

export interface Memory {
  attemptId: string
  /** As the browser came with it, so that the link can be opened again from a page that has only the payment. */
  link: PayLink
}

const contextOf = (key: string) => `attempt-memory/1/${key}`

export function rememberAttempt(visit: Visit, link: PayLink, attemptId: string): void {
  const { deps, cookies, req, reply } = visit
  const key = toLinkKey(link)
  const plain = JSON.stringify({ id: attemptId, at: deps.clock.nowMs(), exp: link.exp, sig: link.sig })
  const sealed = deps.attemptTokens.seal(Buffer.from(plain), contextOf(key))
  const others = cookies.names(req, 'attempt-').filter((name) => name !== `attempt-${key}`)
  const surplus = Math.max(0, others.length + 1 - LINKS_REMEMBERED_MAX)
  for (const name of others.slice(0, surplus)) cookies.clear(reply, name)
  cookies.write(reply, `attempt-${key}`, sealed.toString('base64url'), MEMORY_MAX_AGE_SEC)
}

/** Only the values that are paid for have to agree: the link may have been signed anew since. */
export function recallAttempt(visit: Visit, link: PayLink): Memory | null {
  const { deps, cookies, req } = visit
  const key = toLinkKey(link)
  const sealed = cookies.read(req, `attempt-${key}`)
  const plain = sealed && deps.attemptTokens.open(Buffer.from(sealed, 'base64url'), contextOf(key))
  if (!plain) return null
  const { id, at, exp, sig } = sealedMemory.parse(JSON.parse(plain.toString('utf8')))
  if (deps.clock.nowMs() - at > MEMORY_MAX_AGE_SEC * 1000) return null
  return { attemptId: id, link: { ...link, exp, sig } }
}
