import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { newOrder, requirePayment, startPayments } from '../../test/payments.ts'
import { MAILED_INCIDENTS_MAX } from '../accounts/mail/queue-mail.ts'
import { createMailer } from '../accounts/mailer.ts'
import { renderMail } from '../accounts/mail/render-mail.ts'
import { storedMail } from '../accounts/mail/mail.ts'
import { INCIDENT_KINDS } from '../lib/incident-kind.ts'
import { newUuidV7 } from '../lib/id.ts'
import { mailWaitingIncidents } from './incident-mails.ts'
import type { NewIncident } from './incidents-store.ts'
import { closeAsResolved, listIncidents } from './incidents-store.ts'
import { closeIncident, closeUnresolved, InReviewError, raiseIncident } from './incidents.ts'
import { openPayment } from './payments-store.ts'

const { deps, projectId, logs, replica } = await startPayments({ OPERATOR_EMAIL: 'operator@example.com' })
const { db } = deps

async function newIncident(kind: NewIncident['kind']): Promise<NewIncident> {
  const payment = await openPayment(db, newUuidV7(deps.clock), newOrder(projectId), 'sandbox')
  return { kind, transactionId: payment!.id, subject: payment!.id, facts: { said: 'succeeded' } }
}

async function rowOf({ kind, subject }: NewIncident) {
  const text = 'select id, times, facts, closed_at from incidents where kind = $1 and subject = $2'
  const found = await rows<{ id: number; times: number; facts: object; closed_at: Date | null }>(db, text, [
    kind,
    subject,
  ])
  assert.equal(found.length, 1)
  return found[0]!
}

async function countMails(kind: string): Promise<number> {
  const text = "select from mails where kind = 'incident' and facts->>'what' = $1"
  return (await rows(db, text, [kind])).length
}

function countLogLines(incident: NewIncident): number {
  return logs.filter((line) => line.includes('"msg":"incident"') && line.includes(incident.subject)).length
}

test('an incident that is raised fifty times at the same time is stored, logged and mailed only once', async () => {
  const incident = await newIncident('mismatch')
  await Promise.all(Array.from({ length: 50 }, () => raiseIncident(deps, incident)))
  assert.equal((await rowOf(incident)).times, 50)
  assert.equal(countLogLines(incident), 1)
  assert.equal(await countMails('mismatch'), 1)
})

test('incidents with long subjects that differ only at the end are stored as separate rows', async () => {
  const incident = { kind: 'books_differ', transactionId: null, facts: {} } as const
  for (const end of ['a', 'b', 'a'])
    await raiseIncident(deps, { ...incident, subject: '9'.repeat(199) + end })
  const found = await rows(db, "select times from incidents where kind = 'books_differ' order by id")
  assert.deepEqual(found, [{ times: 2 }, { times: 1 }])
})

test('the operator gets at most one mail an hour per kind of incident', async () => {
  for (let round = 0; round < 5; round += 1) await raiseIncident(deps, await newIncident('contradiction'))
  assert.equal(await countMails('contradiction'), 1)
  const age = "update incident_mails set queued_at = now() - $1::interval where kind = 'contradiction'"
  await rows(db, age, ['59 minutes'])
  await raiseIncident(deps, await newIncident('contradiction'))
  assert.equal(await countMails('contradiction'), 1)
  await rows(db, age, ['61 minutes'])
  await raiseIncident(deps, await newIncident('contradiction'))
  assert.equal(await countMails('contradiction'), 2)
})

async function newestMail(kind: string) {
  const text =
    "select facts from mails where kind = 'incident' and facts->>'what' = $1 order by id desc limit 1"
  const [row] = await rows<{ facts: object }>(db, text, [kind])
  const mail = storedMail.parse({ kind: 'incident', ...row!.facts })
  return renderMail(
    { baseUrl: 'https://pay.example.me', operatorName: 'Pazar', supportUrl: null },
    'en',
    mail,
    null,
  )
}

test('incidents that are raised within an hour after the last mail are listed together in the next mail, even after a restart', async () => {
  const kind = 'webhook_refused'
  const ids: string[] = []
  for (let round = 0; round < 3; round += 1) {
    const incident = await newIncident(kind)
    await raiseIncident(deps, incident)
    ids.push(incident.subject)
  }
  await mailWaitingIncidents(deps)
  assert.equal(await countMails(kind), 1)
  await rows(db, "update incident_mails set queued_at = now() - interval '61 minutes' where kind = $1", [
    kind,
  ])
  const restarted = await replica()
  await Promise.all([deps, restarted, deps, restarted].map((one) => mailWaitingIncidents(one)))
  assert.equal(await countMails(kind), 2)
  const mail = await newestMail(kind)
  assert.match(mail.subject, /^2 incidents: /)
  assert.deepEqual(
    ids.map((id) => mail.text.includes(id)),
    [false, true, true],
  )
  assert.match(mail.text, /npm run pazar -- incidents list/)
  await rows(db, "update incident_mails set queued_at = now() - interval '61 minutes' where kind = $1", [
    kind,
  ])
  await mailWaitingIncidents(deps)
  assert.equal(await countMails(kind), 2, 'each incident is mailed once')
})

test('a mail about very many incidents lists the first incidents and counts the rest', async () => {
  const kind = 'webhook_unusable'
  const raise = (subject: string) => raiseIncident(deps, { kind, transactionId: null, subject, facts: {} })
  await raise('first')
  await Promise.all(Array.from({ length: MAILED_INCIDENTS_MAX + 7 }, (_, n) => raise(`more-${n}`)))
  await rows(db, "update incident_mails set queued_at = now() - interval '61 minutes' where kind = $1", [
    kind,
  ])
  await mailWaitingIncidents(deps)
  const mail = await newestMail(kind)
  assert.match(mail.subject, new RegExp(`^${MAILED_INCIDENTS_MAX + 7} incidents: `))
  assert.match(mail.text, /\nMore incidents: 7\n/)
})

test('without OPERATOR_EMAIL the incident is stored, and no mail is queued', async () => {
  const withoutMail = { ...deps, config: { ...deps.config, operatorEmail: null } }
  const incident = await newIncident('charged_twice')
  await raiseIncident(withoutMail, incident)
  assert.equal((await rowOf(incident)).times, 1)
  assert.equal(await countMails('charged_twice'), 0)
})

test('a closed incident stays closed if it is raised with the same facts, and reopens if it is raised with other facts', async () => {
  const incident = await newIncident('mismatch')
  await raiseIncident(deps, incident)
  const { id } = await rowOf(incident)
  await closeIncident(deps, id)
  await raiseIncident(deps, incident)
  assert.notEqual((await rowOf(incident)).closed_at, null)
  assert.equal(countLogLines(incident), 1)
  await raiseIncident(deps, { ...incident, facts: { said: 'failed' } })
  assert.equal((await rowOf(incident)).closed_at, null)
  assert.equal(countLogLines(incident), 2)
})

test('a payment is in review until its last open incident is closed', async () => {
  const chargedLate = await newIncident('charged_after_end')
  const mismatch = { ...chargedLate, kind: 'mismatch' } as const
  await raiseIncident(deps, chargedLate, { needsReview: true })
  await raiseIncident(deps, mismatch)
  const needsReview = async () => (await requirePayment(db, chargedLate.subject)).needsReview
  assert.equal(await needsReview(), true)
  await assert.rejects(closeIncident(deps, (await rowOf(chargedLate)).id), InReviewError)
  await closeAsResolved(db, [(await rowOf(chargedLate)).id], {})
  assert.equal(await needsReview(), true)
  await closeAsResolved(db, [(await rowOf(mismatch)).id], {})
  assert.equal(await needsReview(), false)
})

test('raising an open incident again can put its payment in review; raising a closed incident with the same facts cannot', async () => {
  const incident = await newIncident('mismatch')
  const needsReview = async () => (await requirePayment(db, incident.subject)).needsReview
  await raiseIncident(deps, incident)
  assert.equal(await needsReview(), false)
  await raiseIncident(deps, incident, { needsReview: true })
  assert.equal(await needsReview(), true)
  assert.equal(countLogLines(incident), 1)
  await closeAsResolved(db, [(await rowOf(incident)).id], {})
  await raiseIncident(deps, incident, { needsReview: true })
  assert.equal(await needsReview(), false, 'the incident was closed with the same facts')
})

test('closing both incidents of a payment at the same time ends its review, unless a third incident is raised', async () => {
  const inReviewWithoutIncident = `select t.id from transactions t where t.needs_review and t.resolution is null
    and not exists (select from incidents i where i.transaction_id = t.id and i.closed_at is null)`
  for (let round = 0; round < 10; round += 1) {
    const unresolved = await newIncident('unresolved')
    const missing = { ...unresolved, kind: 'upstream_missing' } as const
    const mismatch = { ...unresolved, kind: 'mismatch' } as const
    await raiseIncident(deps, unresolved, { needsReview: true })
    await raiseIncident(deps, missing)
    const { id } = await rowOf(missing)
    await Promise.all([
      closeUnresolved(deps, unresolved.subject),
      closeAsResolved(db, [id], { setting: 'present again' }),
      ...(round % 2 ? [raiseIncident(deps, mismatch, { needsReview: true })] : []),
    ])
    assert.equal((await requirePayment(db, mismatch.subject)).needsReview, round % 2 === 1)
    assert.deepEqual(await rows(db, inReviewWithoutIncident), [])
  }
})

test('closing an unknown incident is refused', async () => {
  await assert.rejects(closeIncident(deps, 2_000_000_000), { code: 'not_found' })
})

test('open incidents are listed, the newest first; closed incidents are listed only on request', async () => {
  const open = await listIncidents(db, { withClosed: false, limit: 100 })
  const all = await listIncidents(db, { withClosed: true, limit: 100 })
  assert.ok(open.length > 0 && all.length > open.length)
  assert.ok(open.every((one) => one.closedAt === null))
  assert.deepEqual(
    all.map((one) => one.id),
    all.map((one) => one.id).toSorted((a, b) => b - a),
  )
  assert.equal((await listIncidents(db, { withClosed: true, limit: 2 })).length, 2)
})

test('for every kind of incident, the mail says in both languages what happened and which command shows more', () => {
  const sender = { baseUrl: 'https://pay.example.me', operatorName: 'Pazar', supportUrl: null }
  for (const kind of INCIDENT_KINDS) {
    for (const locale of ['en', 'cnr'] as const) {
      const facts = {
        number: 12,
        what: kind,
        transactionId: null,
        at: '2026-11-15T03:00:00.000Z',
        timeZone: 'UTC',
      }
      const mail = renderMail(sender, locale, storedMail.parse({ kind: 'incident', ...facts }), null)
      assert.match(mail.subject, /^Incident 12: .+\.$/)
      assert.match(mail.text, /npm run pazar -- incidents show 12/)
      assert.match(mail.text, /because you operate this service|jer vodite ovaj servis/)
    }
  }
})

test('the mail about an incident is sent', async () => {
  const worker = createMailer(deps)
  await worker.runOnce()
  await worker.stop()
  const text = "select sent_at is not null as sent from mails where kind = 'incident'"
  const mails = await rows<{ sent: boolean }>(db, text)
  assert.ok(mails.length > 0 && mails.every((mail) => mail.sent))
})

test('raising an incident again updates the time at which it was last raised', async () => {
  const incident = await newIncident('mismatch')
  await raiseIncident(deps, incident)
  const { id } = await rowOf(incident)
  await rows(db, `update incidents set last_at = now() - interval '2 hours' where id = $1`, [id])
  await raiseIncident(deps, incident)
  const recent = `select from incidents where id = $1 and last_at > now() - interval '1 hour'`
  assert.equal((await rows(db, recent, [id])).length, 1)
})
