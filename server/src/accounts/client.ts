import type { FastifyRequest } from 'fastify'
import { addressOf } from '../http/client-address.ts'

export interface ClientFacts {
  ip: string
  userAgent: string
}

/** Longer values would only take up space in the database. */
const USER_AGENT_MAX = 200

export function toStoredUserAgent(header: string | undefined): string {
  return (header ?? '').replaceAll(/[\p{Cc}\p{Cf}]/gu, '').slice(0, USER_AGENT_MAX)
}

export function clientOf(req: FastifyRequest): ClientFacts {
  return { ip: addressOf(req), userAgent: toStoredUserAgent(req.headers['user-agent']) }
}
