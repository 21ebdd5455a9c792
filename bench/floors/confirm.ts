// The floor (minimal work to compare with) of the benchmark “confirm”: only SQL statements like those of one payment,
// without HTTP, pages or tokens.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { systemClock } from '../../server/src/lib/clock.ts'
import { newUuidV7 } from '../../server/src/lib/id.ts'

export interface ConfirmFloor {
  /** Returns the payments per second. */
  run(payments: number, concurrency: number): Promise<number>
  close(): Promise<void>
}

const READ_LINK = `select p.id, p.name, p.result_url, p.require_signed_links, p.archived_at, a.kyc_verified_at, s.sealed, s.version
  from projects p join accounts a on a.id = p.owner_id
  join project_secrets s on s.project_id = p.id and s.mode = 'live' where p.id = $1`

const OPEN = `insert into transactions (id, project_id, mode, attempt_id, amount, currency, data, backend, next_check_at)
  values ($1, $2, 'live', $3, 1500, 'EUR', 'Kafa 1 kg', 'sandbox', now() + interval '30 seconds')
  on conflict do nothing returning id`

const CHARGE = `insert into sandbox_charges (id, amount, currency, status) values ($1, 1500, 'EUR', 'succeeded')
  on conflict do nothing returning id`

const SETTLE = `with ended as (
    update transactions set state = 'succeeded', completed_at = now(), next_check_at = null
    where id = $1 and state in ('processing', 'requires_action') returning id, project_id, mode, custom_id)
  insert into callbacks (project_id, id, transaction_id, mode, result, custom_id, payload)
  select project_id, $2, id, mode, 'success', custom_id, $3 from ended`

export function createConfirmFloor(databaseUrl: string, projectId: string): ConfirmFloor {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 16 })
  const facts = {
    status: 'success',
    projectId,
    amount: '1500',
    currency: 'EUR',
    data: 'Kafa 1 kg',
    mode: 'live',
  }

  async function payOnce(): Promise<void> {
    const id = newUuidV7(systemClock)
    await pool.query({ name: 'read_link', text: READ_LINK, values: [projectId] })
    await pool.query({ name: 'open', text: OPEN, values: [id, projectId, randomUUID()] })
    await pool.query({ name: 'charge', text: CHARGE, values: [id] })
    const payload = JSON.stringify({ ...facts, transactionId: id, createdAt: '2026-01-01T00:00:00.000Z' })
    await pool.query({ name: 'settle', text: SETTLE, values: [id, `msg_${id}`, payload] })
  }

  return {
    async run(payments, concurrency) {
      let remaining = payments
      const startedMs = performance.now()
      const worker = async () => {
        while (remaining > 0) {
          remaining -= 1
          await payOnce()
        }
      }
      await Promise.all(Array.from({ length: concurrency }, worker))
      return payments / ((performance.now() - startedMs) / 1000)
    },
    close: () => pool.end(),
  }
}
