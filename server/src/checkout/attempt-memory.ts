// Remembers a browser's last attempt for each link, so that Back and reload show the payment of this attempt. Each link has
// its own sealed cookie, which is accepted for this link only.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ATTEMPT_COOKIE_MAX_AGE_MIN } from '@pazar/contract'
import { z } from 'zod'
import type { Cookies } from '../http/cookies.ts'
import { toLinkKey } from '../paylinks/pay-link.ts'
import type { PayLink } from '../paylinks/pay-link.ts'
import type { CheckoutDeps } from './deps.ts'

const COOKIE_MAX_AGE_SEC = ATTEMPT_COOKIE_MAX_AGE_MIN * 60
/** Limits the size of the request's headers. Each cookie has about 350 bytes. */
const LINKS_REMEMBERED_MAX = 12

const sealedMemory = z.object({
  id: z.uuid(),
  at: z.int(),
  // Cookies of an earlier release lack `checkoutId` and `pressed`.
  checkoutId: z.uuid().optional(),
  pressed: z.boolean().optional(),
  exp: z.string().nullable(),
  sig: z.string().nullable(),
})

export interface RememberedAttempt {
  attemptId: string
  checkoutId: string
  /** Pay was pressed, so money may have moved. */
  isPressed: boolean
  /** The link of the attempt with its signature, so that the payment page can lead back to the pay page. */
  link: PayLink
}

export interface AttemptMemory {
  find(link: PayLink): RememberedAttempt | null
  remember(link: PayLink, attempt: { id: string; checkoutId: string; isPressed: boolean }): void
}

const contextOf = (linkKey: string) => `attempt-memory/1/${linkKey}`

export function createAttemptMemory(
  deps: Pick<CheckoutDeps, 'attemptTokens' | 'clock'>,
  cookies: Cookies,
  req: FastifyRequest,
  reply: FastifyReply,
): AttemptMemory {
  return {
    /** The signature and expiry date of `link` may differ from those remembered: the merchant may sign a link again. */
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
