// Who sent a request to the checkout: a browser or a JSON client. `attempts` has the sender's last attempts.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { wantsJson } from '../http/accept.ts'
import type { Cookies } from '../http/cookies.ts'
import type { AttemptMemory } from './attempt-memory.ts'
import { createAttemptMemory } from './attempt-memory.ts'
import type { CheckoutDeps } from './deps.ts'

export interface Payer {
  /** A JSON client, which gets no pages. */
  isProgram: boolean
  attempts: AttemptMemory
}

export type ToPayer = (req: FastifyRequest, reply: FastifyReply) => Payer

export function createPayers(deps: CheckoutDeps, cookies: Cookies): ToPayer {
  return (req, reply) => ({
    isProgram: wantsJson(req.headers),
    attempts: createAttemptMemory(deps, cookies, req, reply),
  })
}
