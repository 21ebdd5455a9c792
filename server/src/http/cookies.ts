// Our cookies by name. Over https they carry the __Host- prefix, with which browsers refuse a Domain or a sister
// host's planted copy; over http (development) the prefix is not allowed, so the plain names are used.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../lib/service-error.ts'

export type CookieName = 'session' | 'step-up' | 'device' | `attempt-${string}`

export interface Cookies {
  /** Ours that begin so, oldest first: browsers send them in the order they were made. */
  names(req: FastifyRequest, prefix: 'attempt-'): CookieName[]
  read(req: FastifyRequest, name: CookieName): string | null
  write(reply: FastifyReply, name: CookieName, value: string, maxAgeSec: number): void
  clear(reply: FastifyReply, name: CookieName): void
}

function countInHeader(header: string, name: string): number {
  return header.split(';').filter((part) => part.split('=', 1)[0]?.trim() === name).length
}

export function createCookies(https: boolean): Cookies {
  const wire = (name: CookieName) => (https ? `__Host-${name}` : name)
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure: https } as const
  return {
    names(req, prefix) {
      const ours = Object.keys(req.cookies).filter((name) => name.startsWith(wire(prefix)))
      return ours.map((name) => `attempt-${name.slice(wire(prefix).length)}` as const)
    },
    read(req, name) {
      // Two cookies of one name mean somebody planted one; which of them is ours is unknown.
      if (countInHeader(req.headers.cookie ?? '', wire(name)) > 1) {
        throw new ServiceError('invalid_request', {
          fields: [{ path: 'cookie', code: 'duplicate_parameter' }],
        })
      }
      return req.cookies[wire(name)] || null
    },
    write(reply, name, value, maxAgeSec) {
      reply.setCookie(wire(name), value, { ...attributes, maxAge: maxAgeSec })
    },
    clear(reply, name) {
      reply.clearCookie(wire(name), attributes)
    },
  }
}
