import { beforeEach } from 'node:test'
import { rows } from './accounts.ts'
import { addCallbackProject, claimAll, recordWithHealth, toAttemptRecord } from './deliveries.ts'
import { startPayments } from './payments.ts'
import type { AttemptRecord } from '../src/callbacks/record-store.ts'
import { sendOutageMails } from '../src/deliveries/outage-mails.ts'
import { changeCallbacks } from './stored-forms.ts'

export interface MailRow {
  kind: string
  locale: 'cnr' | 'en'
  facts: Record<string, unknown>
}

/** Before every test, the queue is emptied and a new project is added. */
export async function startOutageWorld() {
  const { deps } = await startPayments()
  const { db } = deps
  const project = { id: '' }

  beforeEach(async () => {
    await rows(db, 'truncate callbacks, callback_lanes, mails cascade')
    project.id = await addCallbackProject(deps, 'https://shop.example.com/callback')
  })

  async function attempt(fields: Partial<AttemptRecord>): Promise<void> {
    await changeCallbacks(db, `update callbacks set next_at = now() where status = 'pending'`)
    const claimed = await claimAll(db)
    await recordWithHealth(
      db,
      claimed.map((one) => toAttemptRecord(one, { excerpt: null, ...fields })),
    )
  }

  const fail = () => attempt({})
  const giveUp = () => attempt({ next: { status: 'exhausted' } })

  const COLUMNS = [
    'failing_since',
    'last_failure_at',
    'told_at',
    'down_since',
    'healed_at',
    'exhausted_told_at',
  ]

  async function letPass(interval: string): Promise<void> {
    const moved = COLUMNS.map((column) => `${column} = ${column} - interval '${interval}'`).join()
    await rows(db, `update callback_lanes set ${moved}`)
    const times = ['created_at', 'delivered_at', 'next_at'].map(
      (column) => `${column} = ${column} - interval '${interval}'`,
    )
    await changeCallbacks(db, `update callbacks set ${times.join()}`)
  }

  async function takeMails(): Promise<MailRow[]> {
    await sendOutageMails(deps)
    const found = await rows<MailRow>(db, 'select kind, locale, facts from mails order by id')
    await rows(db, 'delete from mails')
    return found
  }

  const takeMailKinds = async () => (await takeMails()).map((mail) => mail.kind)
  return { deps, db, project, attempt, fail, giveUp, letPass, takeMails, takeMailKinds }
}
