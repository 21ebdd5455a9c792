// Reads and sets cookies by name. Over https they have the __Host- prefix, so that other subdomains cannot set them. Over
// http (development) browsers do not allow the prefix, so it is left out.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../lib/service-error.ts'

export type CookieName = 'session' | 'step-up' | 'device' | 'sign-in' | `attempt-${string}`

export interface Cookies {
  /** The names of the checkout attempts, oldest first: browsers send cookies in the order of creation. */
  attemptNames(req: FastifyRequest): CookieName[]
  read(req: FastifyRequest, name: CookieName): string | null
  write(reply: FastifyReply, name: CookieName, value: string, maxAgeSec: number): void
  clear(reply: FastifyReply, name: CookieName): void
}

function countInHeader(header: string, name: string): number {
  return header.split(';').filter((part) => part.split('=', 1)[0]?.trim() === name).length
}

export function createCookies(https: boolean): Cookies {
  const toCookieName = (name: CookieName) => (https ? `__Host-${name}` : name)
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure: https } as const
  return {
    attemptNames(req) {
      const prefix = toCookieName('attempt-')
      const cookieNames = Object.keys(req.cookies).filter((name) => name.startsWith(prefix))
      return cookieNames.map((name) => `attempt-${name.slice(prefix.length)}` as const)
    },
    read(req, name) {
      // If two cookies have the same name, an attacker probably planted one of them, and we cannot know which.
      if (countInHeader(req.headers.cookie ?? '', toCookieName(name)) > 1) {
        throw new ServiceError('invalid_request', {
          fields: [{ path: 'cookie', code: 'duplicate_parameter' }],
        })
      }
      return req.cookies[toCookieName(name)] || null
    },
    write(reply, name, value, maxAgeSec) {
      reply.setCookie(toCookieName(name), value, { ...attributes, maxAge: maxAgeSec })
    },
    clear(reply, name) {
      reply.clearCookie(toCookieName(name), attributes)
    },
  }
}
