// A listener (the CLI, which forwards test callbacks) reports the response of the merchant's program.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { AttemptView, CallbackView } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import { makeToken, clientWithToken } from '../../test/api-tokens.ts'
import type { Client } from '../../test/client.ts'
import { readCallbackRow, queueCallbacks } from '../../test/deliveries.ts'
import { startDeliveryOwner } from '../../test/delivery-owner.ts'
import { addAttemptTo } from '../../test/attempts.ts'
import { findRefusedRoles } from '../../test/roles.ts'
import { findAccountByEmail } from '../accounts/accounts-store.ts'
import { toEmailKey } from '../accounts/email-address.ts'
import { closeStreams, openStream } from './events-store.ts'

const { service, owner, stranger, projectId, base, merchant, list } = await startDeliveryOwner()
const { db } = service.deps

async function listen(client: Client): Promise<() => Promise<void>> {
  const account = await findAccountByEmail(db, toEmailKey(client.email))
  const id = randomUUID()
  await openStream(db, { id, accountId: account!.id, projectId })
  return () => closeStreams(db, [id])
}

async function send(): Promise<string> {
  const sent = await owner.post(`${base}/test-callbacks`, { status: 'success', amount: '1500' })
  return sent.json<{ callback: CallbackView }>().callback.id
}

/** Returns the code of the refusal, or null. */
async function report(
  callbackId: string,
  statusCode: number | null,
  durationMs = 42,
): Promise<string | null> {
  const response = await owner.post(`${base}/events/report`, { callbackId, statusCode, durationMs })
  if (response.status === 200) return null
  return response.json<{ errors: { path: string; code: string }[] }>().errors[0]!.code
}

async function readAttempt(id: string): Promise<AttemptView> {
  const detail = await owner.get(`${base}/deliveries/${id}`, { 'accept-language': 'en' })
  return detail.json<{ attempts: AttemptView[] }>().attempts.at(-1)!
}

test('the response to a forwarded callback is reported once, and the list, the detail and the CSV show it', async () => {
  const stop = await listen(owner)
  const id = await send()
  assert.match((await readAttempt(id)).cause!, /once the CLI reports it/)
  const rowBefore = await readCallbackRow(db, id)
  const statsBefore = await rows(db, 'select * from callback_figures order by 1, 2, 3')
  assert.equal(await report(id, 500), null)
  assert.equal(await report(id, 200, 1), 'already_reported')
  const attempt = await readAttempt(id)
  assert.deepEqual(attempt.reported, { statusCode: 500, durationMs: 42 })
  assert.deepEqual([attempt.outcome, attempt.statusCode], ['delivered', null])
  assert.match(attempt.cause!, /reported that your server responded with HTTP 500/)
  assert.deepEqual((await list('?mode=test')).items[0]!.lastAttempt!.reported, attempt.reported)
  const csv = await owner.get(`${base}/deliveries.csv?mode=test&lang=en`)
  assert.match(csv.text, /Status code reported by the CLI,Duration reported by the CLI \(ms\)/)
  assert.match(csv.text, /,500,42\r?\n/)
  const { due_in_sec: _due, ...rowAfter } = await readCallbackRow(db, id)
  const { due_in_sec: _old, ...unchanged } = rowBefore
  assert.deepEqual(rowAfter, unchanged)
  assert.deepEqual(await rows(db, 'select * from callback_figures order by 1, 2, 3'), statsBefore)
  await stop()
})

test('a program that did not respond is reported without a status', async () => {
  const stop = await listen(owner)
  const id = await send()
  assert.equal(await report(id, null), null)
  const attempt = await readAttempt(id)
  assert.deepEqual(attempt.reported, { statusCode: null, durationMs: 42 })
  assert.match(attempt.cause!, /did not respond/)
  await stop()
})

test('only an account that listens can report, and only about callbacks forwarded in test mode', async () => {
  const stop = await listen(owner)
  const id = await send()
  const [liveId] = await queueCallbacks(db, projectId, 1, { mode: 'live' })
  await addAttemptTo(db, { projectId, url: 'listeners' }, liveId!, { outcome: 'delivered', statusCode: null })
  assert.equal(await report(liveId!, 200), 'not_forwarded')
  assert.equal(await report(`msg_${'0'.repeat(32)}`, 200), 'not_forwarded')
  await stop()
  const stopOther = await listen(stranger)
  assert.equal(await report(id, 200), 'not_forwarded', 'another account listens')
  await stopOther()
  const toServer = await send()
  assert.equal(merchant.received.length, 1)
  const stopAgain = await listen(owner)
  assert.equal(await report(toServer, 200), 'not_forwarded')
  assert.equal(await report(id, 200), null)
  await stopAgain()
})

test('a report with impossible values is refused', async () => {
  const id = `msg_${'0'.repeat(32)}`
  for (const body of [
    { callbackId: id, statusCode: 99, durationMs: 1 },
    { callbackId: id, statusCode: 200, durationMs: -1 },
    { callbackId: id, statusCode: 200, durationMs: 600_001 },
    { callbackId: 'msg_1', statusCode: 200, durationMs: 1 },
    { callbackId: id, durationMs: 1 },
  ])
    assert.equal((await owner.post(`${base}/events/report`, body)).status, 400, JSON.stringify(body))
})

test('every role except finance may report, and a token needs the scope `write`', async () => {
  const url = `${base}/events/report`
  const body = { callbackId: `msg_${'0'.repeat(32)}`, statusCode: 200, durationMs: 1 }
  assert.equal(await findRefusedRoles(service, projectId, (one) => one.post(url, body)), 'finance')
  assert.equal((await stranger.post(url, body)).code, 'not_found')
  const withScope = async (scope: 'read' | 'write') =>
    clientWithToken(service.app, (await makeToken(owner, { scope })).token).post(url, body)
  assert.equal((await withScope('read')).code, 'step_up_required')
  assert.equal((await withScope('write')).code, 'invalid_request')
})
