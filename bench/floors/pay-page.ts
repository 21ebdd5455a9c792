// The floor (minimal work to compare with) of the benchmark “pay-page”: a bare Fastify route with one prepared select
// and a fixed text of the page's size.
import Fastify from 'fastify'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 16 })
const text = 'x'.repeat(Number(process.env['BYTES']))
const app = Fastify()

app.get('/', async (_req, reply) => {
  await pool.query({
    name: 'one',
    text: `select p.id, p.name, p.result_url, p.require_signed_links, p.archived_at, a.kyc_verified_at, s.sealed, s.version,
        h.id as held_id, h.state as held_state
      from projects p join accounts a on a.id = p.owner_id
      join project_secrets s on s.project_id = p.id and s.mode = $2
      left join transactions h on h.project_id = p.id and h.mode = $2 and h.custom_id = $3
        and h.state in ('processing', 'requires_action', 'succeeded')
      where p.id = $1`,
    values: [process.env['PROJECT_ID'], 'live', null],
  })
  return reply.type('text/html; charset=utf-8').send(text)
})

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })
console.log('ready')
