import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../test/database.ts'
import { STEP_STARTS_MS, STEPS, toStep } from '../../callbacks/response-times.ts'
import { migrate, readMigrations } from '../../db/migrate.ts'

const STATS_VERSION = 10
const database = await createTestDatabase()
const client = new pg.Client({ connectionString: database.url })
await client.connect()
after(async () => {
  await client.end()
  await database.drop()
})

const DURATIONS = [...STEP_STARTS_MS, ...STEP_STARTS_MS.map((ms) => ms + 1), 14_999, 99_999]

async function fillOldSchema(): Promise<void> {
  await client.query('drop schema public cascade; create schema public')
  const earlier = (await readMigrations()).filter(({ version }) => version < STATS_VERSION)
  await migrate(database.url, { migrations: earlier })
  await client.query(`insert into accounts (id, email, email_key, password_hash, locale)
    values ('019a8f0e-0000-7000-8000-000000000001', 'a@example.com', 'a@example.com', 'none', 'en')`)
  await client.query(`insert into projects (id, owner_id, slot, name, result_url, api_url)
    select id, '019a8f0e-0000-7000-8000-000000000001', slot, 'Shop', 'https://shop.example.com', 'https://shop.example.com'
    from (values ('one', 1), ('two', 2)) as made(id, slot)`)
  await client.query(`insert into transactions (id, project_id, mode, attempt_id, amount, currency, state, created_at, completed_at)
    select gen_random_uuid(), case n % 3 when 0 then 'two' else 'one' end, case n % 5 when 0 then 'test' else 'live' end,
      gen_random_uuid(), n, 'EUR', s.state, at, case when s.state <> 'processing' then at end
    from generate_series(1, 500) as n cross join lateral (
      select (array['succeeded', 'failed', 'expired', 'processing'])[1 + n % 4] as state,
        '2026-10-24T20:00:00Z'::timestamptz + n * interval '7 minutes 13 seconds' as at) as s`)
  await client.query(
    `with made as (
       insert into callbacks (project_id, id, mode, result, payload, status, attempts, delivered_at)
       select 'one', 'msg_' || n, 'live', 'success', '{}', 'delivered', 1, now() from generate_series(1, $2) n returning id)
     insert into callback_attempts (project_id, callback_id, attempt, url, started_at, duration_ms, outcome, status_code)
     select 'one', 'msg_' || position, 1, 'https://shop.example.com', '2026-11-01T10:59:59Z', ms, 'delivered', 200
     from unnest($1::int[]) with ordinality as d(ms, position)`,
    [DURATIONS, DURATIONS.length],
  )
  // The response times include neither a failed attempt nor an attempt that was forwarded to listeners.
  await client.query(`insert into callback_attempts (project_id, callback_id, attempt, url, started_at, duration_ms, outcome, status_code)
    values ('one', 'msg_1', 2, 'https://shop.example.com', now(), 5, 'http_error', 500),
      ('one', 'msg_1', 3, 'listeners', now(), 0, 'delivered', null)`)
}

test('after the migration the stats agree with the stored payments and callback attempts', async () => {
  await fillOldSchema()
  await migrate(database.url)
  const { rows: stored } = await client.query(
    'select project_id, mode, quarter, succeeded, failed, volume from payment_figures order by 1, 2, 3',
  )
  const { rows: expected } = await client.query(`select project_id, mode,
      date_trunc('hour', created_at) + floor(extract(minute from created_at) / 15) * interval '15 minutes' as quarter,
      (count(*) filter (where state = 'succeeded'))::int as succeeded,
      (count(*) filter (where state in ('failed', 'expired')))::int as failed,
      coalesce(sum(amount) filter (where state = 'succeeded'), 0)::bigint as volume
    from transactions where state <> 'processing' group by 1, 2, 3 order by 1, 2, 3`)
  assert.ok(stored.length > 100)
  assert.deepEqual(stored, expected)

  const { rows: responseRows } = await client.query<{ hour: Date; mode: string; answers: number[] }>(
    'select hour, mode, answers from callback_figures',
  )
  assert.equal(responseRows.length, 1)
  assert.equal(responseRows[0]!.hour.toISOString(), '2026-11-01T10:00:00.000Z')
  const counted = Array.from(
    { length: STEPS },
    (_, step) => DURATIONS.filter((ms) => toStep(ms) === step).length,
  )
  assert.deepEqual(responseRows[0]!.answers, counted)
})

test('payments that were open during the migration are counted when they end', async () => {
  const sum = async () =>
    (await client.query<{ all: string }>('select sum(succeeded + failed) as all from payment_figures'))
      .rows[0]!.all
  const sumBefore = Number(await sum())
  await client.query(
    `update transactions set state = 'failed', completed_at = now() where state = 'processing'`,
  )
  // A quarter of the 500 payments were open.
  assert.equal(Number(await sum()), sumBefore + 125)
})
