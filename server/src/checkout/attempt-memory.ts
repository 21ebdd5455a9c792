// Remembers this browser's last attempt for a link, in one cookie per link, so that Back, reload and a second window show
// that payment instead of starting a second one. The cookie is sealed and bound to the link, so that nobody can plant
// another person's attempt in a browser. With a customId the database finds the payment without the cookie; then the cookie
// only proves that this browser made the payment.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ATTEMPT_COOKIE_MAX_AGE_MIN } from '@pazar/contract'
import { z } from 'zod'
import type { Cookies } from '../http/cookies.ts'
import { toLinkKey } from '../paylinks/pay-link.ts'
import type { PayLink } from '../paylinks/pay-link.ts'
import type { CheckoutDeps } from './deps.ts'

const COOKIE_MAX_AGE_SEC = ATTEMPT_COOKIE_MAX_AGE_MIN * 60
/** Headers of more than 16 KiB are refused. This many cookies, of about 350 bytes each, take about a quarter of that. */
const LINKS_REMEMBERED_MAX = 12

const sealedMemory = z.object({
  id: z.uuid(),
  at: z.int(),
  // Cookies of the previous release have neither `checkoutId` nor `pressed`.
  checkoutId: z.uuid().optional(),
  pressed: z.boolean().optional(),
  exp: z.string().nullable(),
  sig: z.string().nullable(),
})

export interface RememberedAttempt {
  attemptId: string
  checkoutId: string
  /** Whether Pay was pressed. If it was, only the database knows whether money moved. */
  isPressed: boolean
  /** The link with its signature, so that a page that has only the payment can link to it again. */
  link: PayLink
}

export interface AttemptMemory {
  find(link: PayLink): RememberedAttempt | null
  remember(link: PayLink, attempt: { id: string; checkoutId: string; isPressed: boolean }): void
}

const contextOf = (linkKey: string) => `attempt-memory/1/${linkKey}`

/** Reads and writes the memory in the cookies of one request and its response. */
export function createAttemptMemory(
  deps: Pick<CheckoutDeps, 'attemptTokens' | 'clock'>,
  cookies: Cookies,
  req: FastifyRequest,
  reply: FastifyReply,
): AttemptMemory {
  return {
    /** The link's signature and expiry date need not match, because the merchant may have signed the link again since. */
    find(link) {
      const linkKey = toLinkKey(link)
      const sealed = cookies.read(req, `attempt-${linkKey}`)
      const plain = sealed && deps.attemptTokens.open(Buffer.from(sealed, 'base64url'), contextOf(linkKey))
      if (!plain) return null
      const memory = sealedMemory.parse(JSON.parse(plain.toString('utf8')))
      const { id, at, exp, sig, checkoutId = id, pressed = true } = memory
      if (deps.clock.nowMs() - at > COOKIE_MAX_AGE_SEC * 1000) return null
      return { attemptId: id, checkoutId, isPressed: pressed, link: { ...link, exp, sig } }
    },
    remember(link, { id, checkoutId, isPressed }) {
      const linkKey = toLinkKey(link)
      const nowMs = deps.clock.nowMs()
      const plain = JSON.stringify({
        id,
        at: nowMs,
        checkoutId,
        pressed: isPressed,
        exp: link.exp,
        sig: link.sig,
      })
      const sealed = deps.attemptTokens.seal(Buffer.from(plain), contextOf(linkKey))
      const others = cookies.attemptNames(req).filter((name) => name !== `attempt-${linkKey}`)
      const surplus = Math.max(0, others.length + 1 - LINKS_REMEMBERED_MAX)
      for (const name of others.slice(0, surplus)) cookies.clear(reply, name)
      cookies.write(reply, `attempt-${linkKey}`, sealed.toString('base64url'), COOKIE_MAX_AGE_SEC)
    },
  }
}
