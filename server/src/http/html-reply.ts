// If a response contains both a secret and text from the caller, its compressed length can reveal the secret (BREACH). See
// docs/decisions/0005-compressed-pages.md.
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export function acceptsGzip(header: string | undefined): boolean {
  return (header ?? '').split(',').some((part) => {
    const [coding, ...params] = part.split(';').map((one) => one.trim().toLowerCase())
    return coding === 'gzip' && !params.some((one) => /^q=0(?:\.0*)?$/.test(one))
  })
}

/** `hasSecret`: the page is not compressed, because it contains a secret that is the same in several responses. */
export function sendHtml(
  req: FastifyRequest,
  reply: FastifyReply,
  page: string | Buffer,
  hasSecret = false,
): void {
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    vary: 'accept-encoding',
  })
  if (!hasSecret && acceptsGzip(req.headers['accept-encoding']))
    reply.header('content-encoding', 'gzip').send(gzipSync(page))
  else reply.send(page)
}
