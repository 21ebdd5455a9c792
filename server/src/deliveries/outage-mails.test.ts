import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import {
  ACCEPTED,
  claimAll,
  queueCallbacks,
  recordInterruption,
  recordWithHealth,
  toAttemptRecord,
} from '../../test/deliveries.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'
import { ATTEMPTS_MAX } from '../callbacks/retry.ts'
import { startNewRound } from '../callbacks/resend-store.ts'
import { storedMail } from '../accounts/mail/mail.ts'
import { renderMail } from '../accounts/mail/render-mail.ts'
import { sendOutageMails } from './outage-mails.ts'
import { startOutageWorld } from '../../test/outage-world.ts'

const { deps, db, project, attempt, fail, giveUp, letPass, takeMails, takeMailKinds } =
  await startOutageWorld()

test('an outage is reported after two minutes in one mail, with its cause and the number of waiting callbacks', async () => {
  await queueCallbacks(db, project.id, 2)
  await fail()
  await fail()
  assert.deepEqual(await takeMailKinds(), [], 'no mail yet: the merchant may only be restarting')
  await letPass('3 minutes')
  const [mail, ...more] = await takeMails()
  assert.deepEqual(more, [])
  assert.equal(mail!.kind, 'deliveries_failing')
  assert.equal(mail!.facts['count'], 2)
  assert.match(String(mail!.facts['cause']), /HTTP 500/)
  await fail()
  assert.deepEqual(await takeMailKinds(), [], 'the owner was notified already')
  const rendered = renderMail(
    { baseUrl: 'https://pay.example.me', operatorName: 'Pazar', supportUrl: null },
    mail!.locale,
    storedMail.parse({ ...mail!.facts, kind: mail!.kind }),
    null,
  )
  assert.match(
    rendered.text,
    new RegExp(`https://pay\\.example\\.me/en/projects/${project.id}/deliveries\\?mode=live`),
  )
  assert.match(rendered.text, /Waiting: 2 callbacks/)
})

test('a callback that was delivered and is being sent again does not count as waiting', async () => {
  await queueCallbacks(db, project.id, 1)
  await attempt(ACCEPTED)
  const [delivered] = await rows<{ id: string }>(db, 'select id from callbacks')
  await db.transaction((tx) => startNewRound(tx, project.id, delivered!.id))
  await queueCallbacks(db, project.id, 3)
  await attempt({ next: { status: 'pending', delaySec: 5, usesNoStep: false } })
  await db.transaction((tx) => startNewRound(tx, project.id, delivered!.id))
  await letPass('3 minutes')
  const [mail] = await takeMails()
  assert.deepEqual([mail?.kind, mail?.facts['count']], ['deliveries_failing', 3])
})

test('members who chose mails about failures get them too, each in their own language', async () => {
  const people: [email: string, mails: string[]][] = [
    ['failures@example.me', ['failures']],
    ['others@example.me', ['disputes', 'security']],
  ]
  for (const [email, mails] of people)
    await rows(
      db,
      `with person as (
         insert into accounts (id, email, email_key, password_hash, locale)
         values (gen_random_uuid(), $2, $2, '', 'cnr') returning id
       )
       insert into project_members (project_id, account_id, role, mails) select $1, id, 'admin', $3 from person`,
      [project.id, email, mails],
    )
  await queueCallbacks(db, project.id, 2)
  await fail()
  await fail()
  await letPass('3 minutes')
  await sendOutageMails(deps)
  const sent = await rows<{ to_address: string; locale: string; cause: string }>(
    db,
    `select to_address, locale, facts ->> 'cause' as cause from mails where kind = 'deliveries_failing'`,
  )
  assert.equal(sent.length, 2)
  const [member] = sent.filter((mail) => mail.to_address === 'failures@example.me')
  const [owner] = sent.filter((mail) => mail !== member)
  assert.equal(member?.locale, 'cnr')
  assert.notEqual(member.cause, owner?.cause)
})

test('two failed attempts are not reported', async () => {
  await queueCallbacks(db, project.id)
  await fail()
  await fail()
  await letPass('1 hour')
  assert.deepEqual(await takeMailKinds(), [])
})

test('an outage is reported again after a day, and not earlier', async () => {
  await queueCallbacks(db, project.id, 3)
  await fail()
  await letPass('1 hour')
  assert.deepEqual(await takeMailKinds(), ['deliveries_failing'])
  for (const hours of [6, 6, 6, 5]) {
    await letPass(`${hours} hours`)
    await fail()
    assert.deepEqual(await takeMailKinds(), [])
  }
  await letPass('2 hours')
  await fail()
  assert.deepEqual(await takeMailKinds(), ['deliveries_failing'])
})

test('after all callbacks were given up, an outage is reported again only if another attempt fails', async () => {
  await queueCallbacks(db, project.id, 3)
  await fail()
  await letPass('1 hour')
  await giveUp()
  assert.deepEqual(await takeMailKinds(), ['deliveries_failing', 'deliveries_exhausted'])
  await letPass('25 hours')
  assert.deepEqual(await takeMailKinds(), [])
  await queueCallbacks(db, project.id)
  await fail()
  assert.deepEqual(await takeMailKinds(), ['deliveries_failing'])
})

test('callbacks that were given up are reported in one mail, at most once a day', async () => {
  await queueCallbacks(db, project.id, 3)
  await giveUp()
  const [mail, ...more] = await takeMails()
  assert.deepEqual([mail!.kind, mail!.facts['count'], more.length], ['deliveries_exhausted', 3, 0])
  await queueCallbacks(db, project.id, 2)
  await giveUp()
  assert.ok(!(await takeMailKinds()).includes('deliveries_exhausted'))
  await letPass('25 hours')
  const later = await takeMails()
  assert.equal(later.find((one) => one.kind === 'deliveries_exhausted')?.facts['count'], 2)
})

const WAYS_TO_GIVE_UP: Record<string, () => Promise<unknown>> = {
  async 'after an attempt'() {
    const claimed = await claimAll(db)
    const exhausted = { next: { status: 'exhausted' } } as const
    await recordWithHealth(
      db,
      claimed.map((one) => toAttemptRecord(one, exhausted)),
    )
  },
  async 'after an interrupted attempt'() {
    await changeCallbacks(db, 'update callbacks set attempts = $1', [ATTEMPTS_MAX.live - 1])
    for (const claimed of await claimAll(db)) await recordInterruption(db, claimed)
  },
  'without an attempt': () =>
    rows(
      db,
      `update callback_lanes set failures_in_row = 1, failing_since = now() - interval '5 days', last_failure_at = now()`,
    ),
}

for (const [way, giveUpNow] of Object.entries(WAYS_TO_GIVE_UP))
  test(`a callback that is given up ${way} is counted in the next mail, even if the callback became due before the previous mail`, async () => {
    await queueCallbacks(db, project.id)
    await letPass('5 days')
    await rows(
      db,
      `insert into callback_lanes (project_id, mode, exhausted_told_at) values ($1, 'live', now() - interval '2 days')`,
      [project.id],
    )
    await giveUpNow()
    const [mail] = await takeMails()
    assert.deepEqual([mail?.kind, mail?.facts['count']], ['deliveries_exhausted', 1])
  })

test('failures in test mode cause no mails', async () => {
  await queueCallbacks(db, project.id, 5, { mode: 'test' })
  await fail()
  await giveUp()
  await letPass('1 day')
  assert.deepEqual(await takeMailKinds(), [])
})

test('processes that poll at the same time send only one mail', async () => {
  await queueCallbacks(db, project.id, 4)
  await fail()
  await letPass('10 minutes')
  await Promise.all(Array.from({ length: 8 }, () => sendOutageMails(deps)))
  assert.equal((await takeMails()).length, 1)
})

test('in a long outage, a callback without an attempt is given up when its retry schedule would have ended; a resend starts the whole schedule', async () => {
  await queueCallbacks(db, project.id, 3)
  await fail()
  const [waiting] = await queueCallbacks(db, project.id)
  await letPass('5 days')
  await sendOutageMails(deps)
  const status = async () =>
    (await rows<{ status: string }>(db, 'select status from callback_states where id = $1', [waiting]))[0]!
      .status
  assert.equal(await status(), 'pending', 'there was no recent attempt: this service may have been down')
  await rows(db, 'update callback_lanes set last_failure_at = now()')
  await sendOutageMails(deps)
  assert.equal(await status(), 'exhausted')
  await rows(db, 'delete from mails')

  await db.transaction((tx) => startNewRound(tx, project.id, waiting!))
  assert.deepEqual(await takeMailKinds(), [])
  assert.equal(await status(), 'pending', 'the resent callback is not given up before its attempt')
  await fail()
  assert.deepEqual(await takeMailKinds(), [])
  assert.equal(await status(), 'pending', 'the resent callback has the whole schedule')
  await giveUp()
  await letPass('2 days')
  const mails = await takeMails()
  assert.deepEqual(
    mails.map(({ kind, facts }) => [kind, facts['count']]),
    [
      ['deliveries_failing', 0],
      ['deliveries_exhausted', 4],
    ],
  )
  assert.equal(await status(), 'exhausted')
})

test('if the owner has closed their account, callbacks that are given up are reported to the operator', async () => {
  const operatorEmail = 'operator@example.com'
  await rows(
    db,
    `update accounts set closed_at = now(), email = 'closed-' || id || '@account.invalid'
     where id = (select owner_id from projects where id = $1)`,
    [project.id],
  )
  await queueCallbacks(db, project.id, 1)
  await giveUp()
  const logged: unknown[] = []
  const log: typeof deps.log = Object.assign(Object.create(deps.log), {
    error: (facts: unknown) => logged.push(facts),
  })
  const withOperator = (email: string | null) => ({ ...deps.config, operatorEmail: email })
  await sendOutageMails({ ...deps, log, config: withOperator(operatorEmail) })
  assert.deepEqual(logged, [{ projectId: project.id }])
  const mails = await rows(db, `select kind, to_address, facts -> 'isOperator' as "isOperator" from mails`)
  assert.deepEqual(mails, [{ kind: 'deliveries_exhausted', to_address: operatorEmail, isOperator: true }])
  await queueCallbacks(db, project.id, 1)
  await giveUp()
  await sendOutageMails({ ...deps, log, config: withOperator(null) })
  assert.equal((await rows(db, 'select from mails')).length, 1, 'nobody can read a mail to a closed account')
})
