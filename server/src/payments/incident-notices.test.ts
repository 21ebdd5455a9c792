import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { requirePayment, startPayments } from '../../test/payments.ts'
import { createPaymentFixtures } from '../../test/resolving.ts'
import { mailWaitingIncidents } from './incident-mails.ts'
import { raiseIncident } from './incidents.ts'
import { readGauges } from './watch-background.ts'

const { deps, projectId } = await startPayments({ OPERATOR_EMAIL: 'operator@example.com' })
const { db } = deps
const { open, end } = createPaymentFixtures(deps, projectId)

beforeEach(() => rows(db, 'truncate incidents, incidents_to_mail, incident_mails, mails cascade'))

type Kind = Parameters<typeof raiseIncident>[1]['kind']
const raise = (kind: Kind, subject: string) =>
  raiseIncident(deps, { kind, transactionId: null, subject, facts: {} })

test('an incident is counted once in the metrics, however often it is raised, and again when it reopens', async () => {
  const counted: string[] = []
  const metrics = { ...deps.metrics, countIncident: (kind: string) => void counted.push(kind) }
  const incidentWith = (said: string) => ({
    kind: 'mismatch' as const,
    transactionId: null,
    subject: 'one',
    facts: { said },
  })
  for (let round = 0; round < 3; round += 1) await raiseIncident({ ...deps, metrics }, incidentWith('a'))
  assert.deepEqual(counted, ['mismatch'])
  await rows(db, 'update incidents set closed_at = now()')
  await raiseIncident({ ...deps, metrics }, incidentWith('b'))
  assert.deepEqual(counted, ['mismatch', 'mismatch'])
})

test('an incident that concerns only open payments is not raised after the end of its payment', async () => {
  const options = { needsReview: true, onlyIfPaymentIsOpen: true }
  for (const [payment, count] of [
    [await end('failed'), 0],
    [await open(), 1],
  ] as const) {
    const incident = { kind: 'unresolved' as const, transactionId: payment.id, subject: payment.id }
    await raiseIncident(deps, { ...incident, facts: {} }, options)
    assert.equal((await rows(db, 'select from incidents where subject = $1', [payment.id])).length, count)
    assert.equal((await requirePayment(db, payment.id)).needsReview, count === 1)
  }
})

test('a mail lists incidents of one kind only; other kinds get their own mail', async () => {
  for (const kind of ['mismatch', 'contradiction'] as const)
    for (const subject of ['first', 'second']) await raise(kind, `${kind} ${subject}`)
  const passHour = (kind: Kind) =>
    rows(db, "update incident_mails set queued_at = now() - interval '61 minutes' where kind = $1", [kind])
  const countMails = async (kind: Kind) =>
    (await rows(db, "select from mails where facts->>'what' = $1", [kind])).length
  await passHour('mismatch')
  await mailWaitingIncidents(deps)
  assert.deepEqual([await countMails('mismatch'), await countMails('contradiction')], [2, 1])
  assert.deepEqual(await rows(db, 'select kind from incidents_to_mail'), [{ kind: 'contradiction' }])
  await passHour('contradiction')
  await mailWaitingIncidents(deps)
  assert.equal(await countMails('contradiction'), 2)
})

test('the gauge of incidents counts open incidents, not open payments', async () => {
  for (const subject of ['a', 'b', 'c', 'd', 'e', 'f']) await raise('webhook_refused', subject)
  await rows(db, `update incidents set closed_at = now() where subject = 'c'`)
  await open()
  const stillOpen = await rows(db, 'select from transactions where completed_at is null')
  const gauges = await readGauges(deps)
  assert.deepEqual([gauges.paymentsOpen, gauges.incidentsOpen], [stillOpen.length, 5])
  assert.notEqual(stillOpen.length, 5)
})
