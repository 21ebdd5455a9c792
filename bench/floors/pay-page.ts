// Floor of the pay page: a bare Fastify route that sends a fixed text of the page's size after the page's own select.
import Fastify from 'fastify'
import { findPayTarget } from '../../server/src/checkout/pay-target-store.ts'
import { openDb } from '../../server/src/db/pool.ts'

const db = openDb(process.env['DATABASE_URL'] ?? '', { onError: () => undefined })
const link = { projectId: process.env['PROJECT_ID'] ?? '', mode: 'live', customId: null } as const
const text = 'x'.repeat(Number(process.env['BYTES']))
const app = Fastify()

app.get('/', async (_req, reply) => {
  await findPayTarget(db, link, [])
  return reply.type('text/html; charset=utf-8').send(text)
})

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })
console.log('ready')
