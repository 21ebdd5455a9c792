import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { ACCEPTED, addCallbackProject, queueCallbacks, toAttemptRecord } from '../../test/deliveries.ts'
import { startPayments } from '../../test/payments.ts'
import { storedMail } from '../accounts/mail/mail.ts'
import { renderMail } from '../accounts/mail/render-mail.ts'
import { claimCallbacks } from '../callbacks/claim-store.ts'
import type { AttemptRecord } from '../callbacks/record-store.ts'
import { recordAttempts } from '../callbacks/record-store.ts'
import { sendOutageMails } from './outage-mails.ts'

const { deps } = await startPayments()
const { db } = deps
let projectId: string

beforeEach(async () => {
  await rows(db, 'truncate callbacks, callback_lanes, mails cascade')
  projectId = await addCallbackProject(deps, 'https://shop.example.com/callback')
})

/** Makes all waiting callbacks due and records this outcome for them. */
async function attempt(fields: Partial<AttemptRecord>): Promise<void> {
  await rows(db, `update callbacks set next_at = now() where status = 'pending'`)
  const { claimed } = await claimCallbacks(db, 128, null, [])
  await recordAttempts(
    db,
    claimed.map((one) => toAttemptRecord(one, { excerpt: null, ...fields })),
  )
}

const fail = () => attempt({})
const giveUp = () => attempt({ next: { status: 'exhausted' } })
const succeed = () => attempt(ACCEPTED)

const COLUMNS = [
  'failing_since',
  'last_failure_at',
  'told_at',
  'down_since',
  'healed_at',
  'exhausted_told_at',
]

/** As if this much time had passed for the lane and its callbacks. */
async function pass(interval: string): Promise<void> {
  const moved = COLUMNS.map((column) => `${column} = ${column} - interval '${interval}'`).join()
  await rows(db, `update callback_lanes set ${moved}`)
  const times = ['created_at', 'delivered_at', 'next_at'].map(
    (column) => `${column} = ${column} - interval '${interval}'`,
  )
  await rows(db, `update callbacks set ${times.join()}`)
}

interface MailRow {
  kind: string
  locale: 'cnr' | 'en'
  facts: Record<string, unknown>
}

async function takeMails(): Promise<MailRow[]> {
  await sendOutageMails(deps)
  const found = await rows<MailRow>(db, 'select kind, locale, facts from mails order by id')
  await rows(db, 'delete from mails')
  return found
}

const kinds = async () => (await takeMails()).map((mail) => mail.kind)

test('an outage is reported by mail after two minutes, once, with cause, fix and the number of waiting callbacks', async () => {
  await queueCallbacks(db, projectId, 2)
  await fail()
  await fail()
  assert.deepEqual(await kinds(), [], 'the server may be restarting')
  await pass('3 minutes')
  const [mail, ...more] = await takeMails()
  assert.deepEqual(more, [])
  assert.equal(mail!.kind, 'deliveries_failing')
  assert.equal(mail!.facts['count'], 2)
  assert.match(String(mail!.facts['cause']), /HTTP 500/)
  await fail()
  assert.deepEqual(await kinds(), [], 'notified already')
  const rendered = renderMail(
    { baseUrl: 'https://pay.example.me', operatorName: 'Pazar' },
    mail!.locale,
    storedMail.parse({ ...mail!.facts, kind: mail!.kind }),
    null,
  )
  assert.match(
    rendered.text,
    new RegExp(`https://pay\\.example\\.me/en/projects/${projectId}/deliveries\\?mode=live`),
  )
  assert.match(rendered.text, /2 callbacks are waiting/)
})

test('one or two failed attempts are not reported', async () => {
  await queueCallbacks(db, projectId)
  await fail()
  await fail()
  await pass('1 hour')
  assert.deepEqual(await kinds(), [])
})

test('during an outage there is at most one mail a day', async () => {
  await queueCallbacks(db, projectId, 3)
  await fail()
  await pass('1 hour')
  assert.deepEqual(await kinds(), ['deliveries_failing'])
  for (const hours of [6, 6, 6, 5]) {
    await pass(`${hours} hours`)
    await fail()
    assert.deepEqual(await kinds(), [])
  }
  await pass('2 hours')
  await fail()
  assert.deepEqual(await kinds(), ['deliveries_failing'])
})

test('given-up callbacks are reported in one mail, at most daily', async () => {
  await queueCallbacks(db, projectId, 3)
  await giveUp()
  const [mail, ...more] = await takeMails()
  assert.deepEqual([mail!.kind, mail!.facts['count'], more.length], ['deliveries_exhausted', 3, 0])
  await queueCallbacks(db, projectId, 2)
  await giveUp()
  assert.ok(!(await kinds()).includes('deliveries_exhausted'))
  await pass('25 hours')
  const later = await takeMails()
  assert.equal(later.find((one) => one.kind === 'deliveries_exhausted')?.facts['count'], 2)
})

function renderText(mail: MailRow): string {
  const sender = { baseUrl: 'https://pay.example.me', operatorName: 'Pazar' }
  return renderMail(sender, mail.locale, storedMail.parse({ ...mail.facts, kind: mail.kind }), null).text
}

test('an outage that was reported is followed by a recovery mail with the number caught up', async () => {
  await queueCallbacks(db, projectId, 4)
  await fail()
  await pass('10 minutes')
  await queueCallbacks(db, projectId, 3)
  assert.deepEqual(await kinds(), ['deliveries_failing'])
  await pass('10 minutes')
  await succeed()
  assert.deepEqual(await kinds(), [], 'waiting callbacks are still being sent')
  await pass('2 minutes')
  const [mail, ...more] = await takeMails()
  // Four had failed before, and three were waiting behind them.
  assert.deepEqual(
    [mail!.kind, mail!.facts['count'], mail!.facts['givenUp'], more.length],
    ['deliveries_healed', 7, 0, 0],
  )
  assert.match(
    renderText(mail!),
    /delivered 7 callbacks that had been waiting[\s\S]*do not need to do anything/,
  )
  await pass('1 day')
  assert.deepEqual(await kinds(), [])
})

test('the recovery mail waits until the waiting callbacks are sent', async () => {
  await queueCallbacks(db, projectId, 4)
  await fail()
  await pass('10 minutes')
  assert.deepEqual(await kinds(), ['deliveries_failing'])
  await rows(db, `update callbacks set next_at = now() + interval '1 hour'`)
  const [first] = await rows<{ id: string }>(db, 'select id from callbacks limit 1')
  await rows(db, 'update callbacks set next_at = now() where id = $1', [first!.id])
  const { claimed } = await claimCallbacks(db, 128, null, [])
  await recordAttempts(
    db,
    claimed.map((one) => toAttemptRecord(one, ACCEPTED)),
  )
  // As after a recovery: the others are due and wait for a slot.
  await rows(db, `update callbacks set next_at = now() where status = 'pending'`)
  await pass('5 minutes')
  assert.deepEqual(await kinds(), [])
  await succeed()
  await pass('2 minutes')
  const [mail] = await takeMails()
  assert.deepEqual([mail?.kind, mail?.facts['count']], ['deliveries_healed', 4])
})

test('the recovery mail states how many were given up during the outage', async () => {
  await queueCallbacks(db, projectId, 4)
  await fail()
  await pass('10 minutes')
  assert.deepEqual(await kinds(), ['deliveries_failing'])
  await giveUp()
  assert.deepEqual(await kinds(), ['deliveries_exhausted'])
  await queueCallbacks(db, projectId, 1)
  await succeed()
  await pass('2 minutes')
  const [mail] = await takeMails()
  assert.deepEqual([mail!.kind, mail!.facts['count'], mail!.facts['givenUp']], ['deliveries_healed', 0, 4])
  const text = renderText(mail!)
  assert.match(text, /gave up on 4 callbacks[\s\S]*resend those in the delivery log/)
  assert.doesNotMatch(text, /nothing more|had been waiting/)
})

test('a merchant with repeated outages gets two mails a day, and one more when it stays down', async () => {
  const seen: string[] = []
  for (let round = 0; round < 12; round += 1) {
    await queueCallbacks(db, projectId, 3)
    await fail()
    await pass('3 minutes')
    seen.push(...(await kinds()))
    await succeed()
    await pass('2 minutes')
    seen.push(...(await kinds()))
  }
  assert.deepEqual(seen, ['deliveries_failing', 'deliveries_healed'])
  await queueCallbacks(db, projectId, 3)
  await fail()
  await pass('50 minutes')
  await fail()
  assert.deepEqual(await kinds(), [])
  await pass('20 minutes')
  assert.deepEqual(await kinds(), ['deliveries_failing'])
  await pass('20 hours')
  await fail()
  assert.deepEqual(await kinds(), [], 'notified already')
})

test('an outage that was not reported has no recovery mail', async () => {
  await queueCallbacks(db, projectId, 4)
  await fail()
  await succeed()
  await pass('1 hour')
  assert.deepEqual(await kinds(), [])
})

test('a merchant that fails again before the recovery mail counts as still down', async () => {
  await queueCallbacks(db, projectId, 4)
  await fail()
  await pass('10 minutes')
  assert.deepEqual(await kinds(), ['deliveries_failing'])
  await succeed()
  await queueCallbacks(db, projectId, 4)
  await fail()
  await pass('10 minutes')
  assert.deepEqual(await kinds(), [])
})

test('test mode sends no mails', async () => {
  await queueCallbacks(db, projectId, 5, { mode: 'test' })
  await fail()
  await giveUp()
  await pass('1 day')
  assert.deepEqual(await kinds(), [])
})

test('two processes that poll at the same time write one mail', async () => {
  await queueCallbacks(db, projectId, 4)
  await fail()
  await pass('10 minutes')
  await Promise.all(Array.from({ length: 8 }, () => sendOutageMails(deps)))
  assert.equal((await takeMails()).length, 1)
})

test('a callback that waited for a merchant that is down for longer than the schedule is given up', async () => {
  await queueCallbacks(db, projectId, 3)
  await fail()
  const [waiting] = await queueCallbacks(db, projectId)
  await pass('5 days')
  await sendOutageMails(deps)
  const status = async () =>
    (await rows<{ status: string }>(db, 'select status from callbacks where id = $1', [waiting]))[0]!.status
  assert.equal(await status(), 'pending', 'there was no recent attempt: this service may have been down')
  await rows(db, 'update callback_lanes set last_failure_at = now()')
  await sendOutageMails(deps)
  assert.equal(await status(), 'exhausted')
})

test('callbacks of a closed account that are given up are reported to the operator', async () => {
  const operatorEmail = 'operator@example.com'
  await rows(
    db,
    `update accounts set closed_at = now(), email = 'closed-' || id || '@account.invalid'
     where id = (select owner_id from projects where id = $1)`,
    [projectId],
  )
  await queueCallbacks(db, projectId, 1)
  await giveUp()
  await sendOutageMails({ ...deps, config: { ...deps.config, operatorEmail } })
  assert.deepEqual(await rows(db, 'select kind, to_address from mails'), [
    { kind: 'deliveries_exhausted', to_address: operatorEmail },
  ])
})
