import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import {
  ACCEPTED,
  claimAll,
  queueCallbacks,
  recordWithHealth,
  toAttemptRecord,
} from '../../test/deliveries.ts'
import { startNewRounds } from '../callbacks/resend-store.ts'
import { countStillGivenUp } from './outage-mails-store.ts'
import { toDate } from '../lib/clock.ts'
import type { Queryable, Statement } from '../db/pool.ts'
import { storedMail } from '../accounts/mail/mail.ts'
import { renderMail } from '../accounts/mail/render-mail.ts'
import { startOutageWorld } from '../../test/outage-world.ts'
import type { MailRow } from '../../test/outage-world.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'

const { db, project, attempt, fail, giveUp, letPass, takeMails, takeMailKinds } = await startOutageWorld()

const succeed = () => attempt(ACCEPTED)

function renderText(mail: MailRow): string {
  const sender = { baseUrl: 'https://pay.example.me', operatorName: 'Pazar', supportUrl: null }
  return renderMail(sender, mail.locale, storedMail.parse({ ...mail.facts, kind: mail.kind }), null).text
}

test('after a reported outage, the recovery mail says how many waiting callbacks were delivered', async () => {
  await queueCallbacks(db, project.id, 4)
  await fail()
  await letPass('10 minutes')
  await queueCallbacks(db, project.id, 3)
  assert.deepEqual(await takeMailKinds(), ['deliveries_failing'])
  await letPass('10 minutes')
  await succeed()
  assert.deepEqual(await takeMailKinds(), [], 'the recovery is less than a minute old')
  await letPass('2 minutes')
  const [mail, ...more] = await takeMails()
  // Four callbacks had failed before, and three were waiting behind them.
  assert.deepEqual(
    [mail!.kind, mail!.facts['count'], mail!.facts['givenUp'], more.length],
    ['deliveries_healed', 7, 0, 0],
  )
  assert.match(
    renderText(mail!),
    /delivered 7 callbacks that had been waiting[\s\S]*do not need to do anything/,
  )
  await letPass('1 day')
  assert.deepEqual(await takeMailKinds(), [])
})

test('the recovery mail waits until the waiting callbacks are sent', async () => {
  await queueCallbacks(db, project.id, 4)
  await fail()
  await letPass('10 minutes')
  assert.deepEqual(await takeMailKinds(), ['deliveries_failing'])
  await changeCallbacks(db, `update callbacks set next_at = now() + interval '1 hour'`)
  const [first] = await rows<{ id: string }>(db, 'select id from callback_states limit 1')
  await changeCallbacks(db, 'update callbacks set next_at = now() where id = $1', [first!.id])
  const claimed = await claimAll(db)
  await recordWithHealth(
    db,
    claimed.map((one) => toAttemptRecord(one, ACCEPTED)),
  )
  // The other callbacks are due now, but they are not sent yet.
  await changeCallbacks(db, `update callbacks set next_at = now() where status = 'pending'`)
  await letPass('5 minutes')
  assert.deepEqual(await takeMailKinds(), [])
  await succeed()
  await letPass('2 minutes')
  const [mail] = await takeMails()
  assert.deepEqual([mail?.kind, mail?.facts['count']], ['deliveries_healed', 4])
})

test('the recovery mail states how many callbacks were given up during the outage', async () => {
  await queueCallbacks(db, project.id, 4)
  await fail()
  await letPass('10 minutes')
  assert.deepEqual(await takeMailKinds(), ['deliveries_failing'])
  await giveUp()
  assert.deepEqual(await takeMailKinds(), ['deliveries_exhausted'])
  await queueCallbacks(db, project.id, 1)
  await succeed()
  await letPass('2 minutes')
  const [mail] = await takeMails()
  assert.deepEqual([mail!.kind, mail!.facts['count'], mail!.facts['givenUp']], ['deliveries_healed', 0, 4])
  const text = renderText(mail!)
  assert.match(text, /4 callbacks could not be delivered[\s\S]*resend them in the callback log/)
  assert.doesNotMatch(text, /nothing more|had been waiting/)
})

test('given-up callbacks that were resent before a mail do not count as given up in that mail', async () => {
  const resendAll = () => startNewRounds(db, project.id, 'live', toDate(0))
  await queueCallbacks(db, project.id, 4)
  await fail()
  await letPass('10 minutes')
  await giveUp()
  assert.deepEqual(await takeMailKinds(), ['deliveries_failing', 'deliveries_exhausted'])
  await resendAll()
  await succeed()
  await letPass('2 minutes')
  const [mail] = await takeMails()
  assert.deepEqual([mail!.kind, mail!.facts['count'], mail!.facts['givenUp']], ['deliveries_healed', 4, 0])
  await queueCallbacks(db, project.id, 2)
  await giveUp()
  await resendAll()
  await succeed()
  await letPass('2 days')
  assert.deepEqual(await takeMailKinds(), [])
  await queueCallbacks(db, project.id, 1)
  await giveUp()
  const [next] = await takeMails()
  assert.deepEqual([next?.kind, next?.facts['count']], ['deliveries_exhausted', 1])
})

test('in a mail about given-up callbacks, a callback that was resent and given up again counts once, and callbacks of earlier mails do not count', async () => {
  const resendSince = (minutes: number) =>
    startNewRounds(db, project.id, 'live', toDate(Date.now() - minutes * 60_000))
  await queueCallbacks(db, project.id, 3)
  await fail()
  await giveUp()
  await letPass('10 seconds')
  const [first] = await takeMails()
  assert.deepEqual([first?.kind, first?.facts['count']], ['deliveries_exhausted', 3])
  await letPass('25 hours')
  await queueCallbacks(db, project.id, 1)
  await giveUp()
  assert.equal((await resendSince(10)).count, 1)
  await giveUp()
  const mails = await takeMails()
  const [given] = mails.filter(({ kind }) => kind === 'deliveries_exhausted')
  assert.equal(given?.facts['count'], 1)
})

test('to count the given-up callbacks for a mail, only a limited number of callbacks are read', async () => {
  await queueCallbacks(db, project.id, 2_000)
  await changeCallbacks(db, `update callbacks set status = 'exhausted', next_at = now() - interval '30 days'`)
  await rows(
    db,
    `insert into callback_lanes (project_id, mode, exhausted_told_at) values ($1, 'live', now())`,
    [project.id],
  )
  let plan = ''
  const explained: Queryable = {
    async query<Row extends object>(given: Statement, values: readonly unknown[] = []) {
      const text = `explain (analyze, format json) ${given.text}`
      const [row] = await rows<{ 'QUERY PLAN': unknown }>(db, text, values)
      plan = JSON.stringify(row!['QUERY PLAN'])
      return db.query<Row>(given, values)
    },
  }
  await countStillGivenUp(explained, project.id, { counted: 5, period: 'since the last mail' })
  const read = [...plan.matchAll(/"(?:Actual Rows|Rows Removed by Filter)":(\d+)/g)].map(([, n]) => Number(n))
  assert.equal(Math.max(...read), 1_005)
  assert.match(plan, /"Index Name":"callbacks_log"/)
})

test('the recovery mail does not count callbacks that were given up before the outage', async () => {
  await queueCallbacks(db, project.id, 3)
  await giveUp()
  await queueCallbacks(db, project.id, 1)
  await succeed()
  await letPass('2 days')
  await takeMails()
  await queueCallbacks(db, project.id, 4)
  await fail()
  await letPass('10 minutes')
  assert.deepEqual(await takeMailKinds(), ['deliveries_failing'])
  await giveUp()
  assert.equal((await startNewRounds(db, project.id, 'live', toDate(Date.now() - 3_600_000))).count, 4)
  await succeed()
  await letPass('2 minutes')
  const [mail] = (await takeMails()).filter(({ kind }) => kind === 'deliveries_healed')
  assert.deepEqual([mail?.facts['count'], mail?.facts['givenUp']], [4, 0])
})

test('a merchant with repeated short outages gets two mails a day, and one more if an outage lasts longer than an hour', async () => {
  const seen: string[] = []
  for (let round = 0; round < 12; round += 1) {
    await queueCallbacks(db, project.id, 3)
    await fail()
    await letPass('3 minutes')
    seen.push(...(await takeMailKinds()))
    await succeed()
    await letPass('2 minutes')
    seen.push(...(await takeMailKinds()))
  }
  assert.deepEqual(seen, ['deliveries_failing', 'deliveries_healed'])
  await queueCallbacks(db, project.id, 3)
  await fail()
  await letPass('50 minutes')
  await fail()
  assert.deepEqual(await takeMailKinds(), [])
  await letPass('20 minutes')
  assert.deepEqual(await takeMailKinds(), ['deliveries_failing'])
  await letPass('20 hours')
  await fail()
  assert.deepEqual(await takeMailKinds(), [], 'the owner was notified already')
})

test('an outage that was not reported has no recovery mail', async () => {
  await queueCallbacks(db, project.id, 4)
  await fail()
  await succeed()
  await letPass('1 hour')
  assert.deepEqual(await takeMailKinds(), [])
})

test('a merchant that fails again before the recovery mail counts as still down', async () => {
  await queueCallbacks(db, project.id, 4)
  await fail()
  await letPass('10 minutes')
  assert.deepEqual(await takeMailKinds(), ['deliveries_failing'])
  await succeed()
  await queueCallbacks(db, project.id, 4)
  await fail()
  await letPass('10 minutes')
  assert.deepEqual(await takeMailKinds(), [])
})
