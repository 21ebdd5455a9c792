// The floor (minimal work to compare with) of the benchmark “check-status”: a bare Fastify route with one prepared
// select by primary key.
import Fastify from 'fastify'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 16 })
const { rows } = await pool.query<{ id: string }>('select id from transactions order by random() limit 2000')
const app = Fastify()
let n = 0

app.post('/', async () => {
  n = (n + 1) % rows.length
  const found = await pool.query({
    name: 'one',
    text: 'select state from transactions where id = $1',
    values: [rows[n]!.id],
  })
  return { successful: found.rows.length === 1 }
})

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' })
console.log('ready')
