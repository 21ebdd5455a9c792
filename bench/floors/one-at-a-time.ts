// A floor (minimal work to compare with) of the benchmark “drain”: one loop that claims a callback, posts it and
// records the attempt. The loop uses copies of the tables, because a trigger of the real tables refuses the claim of a
// callback whose lane (its project and mode) belongs to a delivery process.
import pg from 'pg'
import { Pool } from 'undici'

export async function drainOneAtATime(databaseUrl: string, origin: string, count: number): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('create table if not exists simple_callbacks (like callbacks including all)')
  await client.query('create table if not exists simple_attempts (like callback_attempts including all)')
  await client.query('truncate simple_callbacks, simple_attempts')
  await client.query(
    `insert into simple_callbacks (project_id, id, mode, result, custom_id, payload, status, attempts, next_at, created_at)
     select project_id, id, mode, result, custom_id, payload, status, attempts, next_at, created_at from callback_states`,
  )
  await client.query('truncate callbacks, callback_attempts cascade')
  const pool = new Pool(origin, { connections: 1 })
  const startedMs = performance.now()
  for (let n = 0; n < count; n += 1) {
    const { rows } = await client.query({
      name: 'claim',
      text: `update simple_callbacks set status = 'sending', attempts = attempts + 1, claim = gen_random_uuid(), lease_until = now() + interval '45 seconds'
        where (project_id, id) in (select project_id, id from simple_callbacks where status = 'pending' and next_at <= now()
          order by next_at limit 1 for update skip locked) returning project_id, id, payload`,
    })
    const { project_id, id, payload } = rows[0] as { project_id: string; id: string; payload: object }
    const response = await pool.request({
      method: 'POST',
      path: '/',
      body: JSON.stringify(payload),
      headers: { 'content-type': 'application/json' },
    })
    await response.body.dump()
    await client.query({
      name: 'done',
      text: `with done as (update simple_callbacks set status = 'delivered', delivered_at = now(), claim = null, lease_until = null
          where project_id = $1 and id = $2 returning project_id, id, attempts)
        insert into simple_attempts (project_id, callback_id, attempt, url, started_at, outcome, status_code)
        select project_id, id, attempts, 'http://127.0.0.1', now(), 'delivered', 200 from done`,
      values: [project_id, id],
    })
  }
  const rate = count / ((performance.now() - startedMs) / 1000)
  await client.end()
  await pool.close()
  return rate
}
