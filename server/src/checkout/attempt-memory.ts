// What this browser last did with a link, in a cookie of its own: Back, reload and a second window lead to that payment
// instead of to a second one. Sealed and bound to the link, so that nobody can hand a browser somebody else's attempt.
// With a customId the database holds the order as well; the cookie then only tells whose window this is.
import { ATTEMPT_COOKIE_MAX_AGE_MIN } from '@pazar/contract'
import { z } from 'zod'
import { toLinkKey } from '../paylinks/pay-link.ts'
import type { PayLink } from '../paylinks/pay-link.ts'
import type { Visit } from './visit.ts'

const COOKIE_MAX_AGE_SEC = ATTEMPT_COOKIE_MAX_AGE_MIN * 60
/** Some two hundred bytes each: more would crowd the request's headers, which are refused past 16 KiB. */
const LINKS_REMEMBERED_MAX = 12

const sealedMemory = z.object({
  id: z.uuid(),
  at: z.int(),
  // Missing in what the last release sealed, as is the next one.
  checkoutId: z.uuid().optional(),
  pressed: z.boolean().optional(),
  exp: z.string().nullable(),
  sig: z.string().nullable(),
})

export interface Memory {
  attemptId: string
  checkoutId: string
  /** Pay was pressed: whether money moved is then for the database to say. */
  isPressed: boolean
  /** As the browser came with it, so that the link can be opened again from a page that has only the payment. */
  link: PayLink
}

const contextOf = (key: string) => `attempt-memory/1/${key}`

export function rememberAttempt(
  visit: Visit,
  link: PayLink,
  { id, checkoutId, isPressed }: { id: string; checkoutId: string; isPressed: boolean },
): void {
  const { deps, cookies, req, reply } = visit
  const key = toLinkKey(link)
  const at = deps.clock.nowMs()
  const plain = JSON.stringify({ id, at, checkoutId, pressed: isPressed, exp: link.exp, sig: link.sig })
  const sealed = deps.attemptTokens.seal(Buffer.from(plain), contextOf(key))
  const others = cookies.names(req, 'attempt-').filter((name) => name !== `attempt-${key}`)
  const surplus = Math.max(0, others.length + 1 - LINKS_REMEMBERED_MAX)
  for (const name of others.slice(0, surplus)) cookies.clear(reply, name)
  cookies.write(reply, `attempt-${key}`, sealed.toString('base64url'), COOKIE_MAX_AGE_SEC)
}

/** Only the values that are paid for have to agree: the link may have been signed anew since. */
export function recallAttempt(visit: Visit, link: PayLink): Memory | null {
  const { deps, cookies, req } = visit
  const key = toLinkKey(link)
  const sealed = cookies.read(req, `attempt-${key}`)
  const plain = sealed && deps.attemptTokens.open(Buffer.from(sealed, 'base64url'), contextOf(key))
  if (!plain) return null
  const memory = sealedMemory.parse(JSON.parse(plain.toString('utf8')))
  const { id, at, exp, sig, checkoutId = id, pressed = true } = memory
  if (deps.clock.nowMs() - at > COOKIE_MAX_AGE_SEC * 1000) return null
  return { attemptId: id, checkoutId, isPressed: pressed, link: { ...link, exp, sig } }
}
