import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FailuresView } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import { startDeliveryOwner } from '../../test/delivery-owner.ts'
import { queueCallbacks } from '../../test/deliveries.ts'
import { Client } from '../../test/client.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'

const { service, owner, stranger, projectId, base } = await startDeliveryOwner()
const { db } = service.deps

interface Failure {
  outcome: string
  statusCode?: number | null
  error?: string | null
  excerpt?: string | null
  status?: 'exhausted' | 'pending' | 'delivered' | 'cancelled'
  mode?: 'live' | 'test'
  trigger?: 'auto' | 'manual' | 'test' | 'exam'
  daysAgo?: number
}

async function addFailures(count: number, failure: Failure): Promise<void> {
  const { mode = 'live', trigger = 'auto', status = 'exhausted', daysAgo = 0 } = failure
  const ids = await queueCallbacks(db, projectId, count, { mode, trigger })
  await changeCallbacks(
    db,
    `update callbacks set status = $2, attempts = 3, last_outcome = $3,
       created_at = now() - make_interval(days => $4), delivered_at = case $2 when 'delivered' then now() end
     where id = any ($1)`,
    [ids, status, failure.outcome, daysAgo],
  )
  await rows(
    db,
    `insert into callback_attempts (project_id, callback_id, attempt, url, started_at, outcome, status_code, error,
       response_excerpt)
     select $1, id, 3, 'https://shop.example.com', now(), $3, $4, $5, $6 from unnest($2::text[]) as made(id)`,
    [
      projectId,
      ids,
      failure.outcome,
      failure.statusCode ?? null,
      failure.error ?? null,
      failure.excerpt ?? null,
    ],
  )
}

async function read(query = '', language = 'en'): Promise<FailuresView> {
  const response = await owner.get(`${base}/failures${query}`, { cookie: toCookie(owner, language) })
  assert.equal(response.status, 200, response.text)
  return response.json()
}

function toCookie(client: Client, language: string): string {
  return [...client.jar, ['lang', language]].map(([name, value]) => `${name}=${value}`).join('; ')
}

test('failures are grouped by cause, with the largest group first, and each group has an explanation and a fix', async () => {
  await addFailures(2, { outcome: 'http_error', statusCode: 500 })
  await addFailures(3, { outcome: 'timeout', status: 'pending' })
  await addFailures(1, { outcome: 'http_error', statusCode: 404 })
  await addFailures(1, { outcome: 'http_error', statusCode: 403, excerpt: 'Attention Required! Cloudflare' })
  const found = await read()
  assert.equal(found.count, 7)
  assert.equal(found.isExact, true)
  assert.deepEqual(
    found.causes.map(({ outcome, statusCode, count }) => [outcome, statusCode, count]).slice(0, 2),
    [
      ['timeout', null, 3],
      ['http_error', 500, 2],
    ],
  )
  assert.match(found.causes[0]!.cause, /15 seconds/)
  assert.match(found.causes[0]!.fix, /Save the result and respond with 200 at once/)
  assert.match(found.causes.find(({ statusCode }) => statusCode === 403)!.fix, /bot protection/)
  assert.match(found.causes[0]!.last.callbackId, /^msg_/)
  assert.match((await read('', 'cnr')).causes[0]!.cause, /15 sekundi/)
})

test('failures with the same status are grouped by the reason in the response, ignoring numbers; failures without a reason are one group', async () => {
  await addFailures(1, { outcome: 'http_error', statusCode: 404, excerpt: 'No order order-1042.' })
  await addFailures(1, { outcome: 'http_error', statusCode: 404, excerpt: 'No order order-1043.' })
  await addFailures(1, { outcome: 'http_error', statusCode: 404 })
  const { causes } = await read()
  assert.deepEqual(
    causes.filter(({ statusCode }) => statusCode === 404).map(({ count }) => count),
    [2, 1],
  )
  assert.match(causes.find(({ count }) => count === 2)!.cause, /Its response: “No order order-104[23]\.”/)
})

test('the failures exclude delivered and cancelled callbacks, callbacks older than a week, and those of the other mode, the exam or the test button', async () => {
  await addFailures(1, { outcome: 'timeout', status: 'delivered' })
  await addFailures(1, { outcome: 'timeout', status: 'cancelled' })
  await addFailures(1, { outcome: 'timeout', trigger: 'test' })
  await addFailures(1, { outcome: 'timeout', trigger: 'exam' })
  await addFailures(1, { outcome: 'timeout', daysAgo: 8 })
  await addFailures(2, { outcome: 'dns', mode: 'test' })
  await queueCallbacks(db, projectId, 1)
  assert.deepEqual([(await read()).count, (await read()).causes], [0, []])
  assert.deepEqual(
    (await read('?mode=test')).causes.map(({ outcome, count }) => [outcome, count]),
    [['dns', 2]],
  )
})

test('if there are more than 200 failures, the count is 200 and marked as not exact', async () => {
  await addFailures(190, { outcome: 'timeout' })
  await addFailures(10, { outcome: 'dns' })
  assert.deepEqual([(await read()).count, (await read()).isExact], [200, true])
  await addFailures(1, { outcome: 'connect', error: 'connect ECONNREFUSED' })
  assert.deepEqual([(await read()).count, (await read()).isExact], [200, false])
})

test('reading failures is refused for another owner’s project, with an unknown mode or parameter, and without a session', async () => {
  assert.equal((await stranger.get(`${base}/failures`)).code, 'not_found')
  assert.equal((await owner.get(`${base}/failures?mode=both`)).code, 'invalid_request')
  assert.equal((await owner.get(`${base}/failures?since=now`)).code, 'invalid_request')
  assert.equal((await new Client(service.app).get(`${base}/failures`)).code, 'unauthenticated')
})

test('reading failures takes three statements, including those that check the session and the project', async () => {
  await addFailures(5, { outcome: 'timeout' })
  const countBefore = db.statementCount()
  await owner.get(`${base}/failures`)
  assert.equal(db.statementCount() - countBefore, 3)
})
