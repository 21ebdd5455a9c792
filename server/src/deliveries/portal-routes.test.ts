// The routes of the delivery log: who may use them, what they list, and what they refuse.
// Why this is long: all routes of the log are tested with the same owner and merchant.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttemptView, CallbackView } from '@pazar/contract'
import { rows } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { readCallbackRow, queueCallbacks, untilStatus } from '../../test/deliveries.ts'
import { deliverAll, toIds, startDeliveryOwner } from '../../test/delivery-owner.ts'
import type { DeliveryPage } from '../../test/delivery-owner.ts'
import { respondWith } from '../../test/merchant.ts'
import { newOrder } from '../../test/payments.ts'
import { findRefusedRoles } from '../../test/roles.ts'
import { findAccountByEmail } from '../accounts/accounts-store.ts'
import { newUuidV7 } from '../lib/id.ts'
import { confirmPayment } from '../payments/confirm.ts'
import { exportDeliveries } from './deliveries-csv.ts'
import { changeCallbacks } from '../../test/stored-forms.ts'

const { merchant, service, owner, stranger, projectId, base, list } = await startDeliveryOwner()
const { app, deps } = service
const { db } = deps

const UNKNOWN_ID = `msg_${'0'.repeat(32)}`

test('the routes of the log require a session, and another account gets the same 404 as for an unknown project', async () => {
  const [id] = await queueCallbacks(db, projectId)
  const nobody = new Client(app)
  const routes: ['GET' | 'POST', string, unknown?][] = [
    ['GET', '/deliveries'],
    ['GET', '/deliveries.csv'],
    ['GET', `/deliveries/${id}`],
    ['GET', '/events'],
    ['POST', `/deliveries/${id}/resend`, {}],
    ['POST', '/deliveries/resend-failed', { since: '2026-01-01T00:00:00Z' }],
    ['POST', '/test-callbacks', { status: 'success', amount: '1500' }],
  ]
  for (const [method, path, body] of routes) {
    const url = `${base}${path}`
    assert.equal((await nobody.send(method, url, body)).code, 'unauthenticated', url)
    const ofStranger = await stranger.send(method, url, body)
    const missing = await stranger.send(method, url.replace(projectId, 'a'.repeat(24)), body)
    assert.deepEqual([ofStranger.status, ofStranger.code], [404, 'not_found'], url)
    assert.equal(missing.code, 'not_found', url)
  }
  assert.equal((await readCallbackRow(db, id!)).status, 'pending')
  assert.equal(merchant.received.length, 0)
})

test('the list starts with the newest callback and has the contract’s fields, the last attempt and its explanation', async () => {
  const [first] = await queueCallbacks(db, projectId, 1, { customId: 'order-1', data: 'Kafa' })
  merchant.reply = respondWith(404, 'no such page')
  await deliverAll(deps)
  const [second] = await queueCallbacks(db, projectId)
  const listed = await list()
  assert.deepEqual(toIds(listed), [second, first])
  const { lastAttempt, ...callback } = listed.items[1]!
  assert.deepEqual(Object.keys(callback), [
    'id',
    'projectId',
    'event',
    'transactionId',
    'refundId',
    'disputeId',
    'mode',
    'result',
    'status',
    'amount',
    'currency',
    'scale',
    'customId',
    'data',
    'attempts',
    'nextAt',
    'createdAt',
    'deliveredAt',
  ])
  assert.deepEqual(
    [callback.status, callback.amount, callback.customId, callback.data, callback.attempts, callback.mode],
    ['pending', '1500', 'order-1', 'Kafa', 1, 'live'],
  )
  assert.ok(callback.nextAt)
  assert.deepEqual(
    [lastAttempt!.outcome, lastAttempt!.statusCode, lastAttempt!.trigger, lastAttempt!.responseExcerpt],
    ['http_error', 404, 'auto', 'no such page'],
  )
  assert.match(lastAttempt!.cause!, /404/)
  assert.ok(lastAttempt!.fix)
  assert.equal(listed.items[0]!.lastAttempt, null)
  const inMontenegrin = (await list('?limit=2', copyWithLanguage('cnr'))).items[1]!.lastAttempt!
  assert.match(inMontenegrin.cause!, /Vaš server/)
})

function copyWithLanguage(lang: string): Client {
  const copy = new Client(app)
  for (const [name, value] of owner.jar) copy.jar.set(name, value)
  copy.jar.set('lang', lang)
  return copy
}

test('the pages of the delivery log have no gaps or duplicates, even if callbacks are added in between', async () => {
  const ids = [
    ...(await queueCallbacks(db, projectId, 25)),
    ...(await queueCallbacks(db, projectId, 25, { mode: 'test' })),
  ]
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: DeliveryPage = await list(`?limit=7${cursor ? `&cursor=${cursor}` : ''}`)
    seen.push(...toIds(page))
    cursor = page.nextCursor
    if (seen.length === 7) await queueCallbacks(db, projectId, 5)
  } while (cursor)
  assert.equal(seen.length, ids.length)
  assert.deepEqual(new Set(seen), new Set(ids))
})

test('the log and its CSV file can start with the oldest callback, page by page and with a filter', async () => {
  await queueCallbacks(db, projectId, 6)
  const [failed = ''] = await queueCallbacks(db, projectId)
  // Rows of the same instant are ordered by their ids.
  await changeCallbacks(
    db,
    `update callbacks set created_at = date_trunc('minute', created_at) where project_id = $1`,
    [projectId],
  )
  await changeCallbacks(db, `update callbacks set last_outcome = 'timeout' where id = $1`, [failed])
  const newest = toIds(await list('?limit=100'))
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: DeliveryPage = await list(`?order=oldest&limit=3${cursor ? `&cursor=${cursor}` : ''}`)
    seen.push(...toIds(page))
    cursor = page.nextCursor
  } while (cursor)
  assert.deepEqual(seen, newest.toReversed())
  assert.deepEqual(toIds(await list('?order=oldest&outcome=timeout')), [failed])
  const csv = (await owner.get(`${base}/deliveries.csv?order=oldest`)).text
  assert.deepEqual(csv.match(/msg_[0-9a-f]{32}/g), seen)
  assert.equal((await owner.get(`${base}/deliveries?order=random`)).code, 'invalid_request')
})

test('each filter of the delivery log works alone and combined with others', async () => {
  const [liveId] = await queueCallbacks(db, projectId, 1, { customId: 'order-10' })
  const [testId] = await queueCallbacks(db, projectId, 1, { mode: 'test', customId: 'order-11' })
  await deliverAll(deps)
  merchant.reply = respondWith(500)
  const [failedId] = await queueCallbacks(db, projectId, 1, { customId: 'order-2' })
  await deliverAll(deps)
  const [newestId] = await queueCallbacks(db, projectId)
  assert.deepEqual(toIds(await list('?mode=test')), [testId])
  assert.deepEqual(toIds(await list('?status=delivered')), [testId, liveId])
  assert.deepEqual(toIds(await list('?outcome=delivered&mode=live')), [liveId])
  assert.deepEqual(toIds(await list('?outcome=http_error')), [failedId])
  assert.deepEqual(toIds(await list('?outcome=timeout')), [])
  assert.deepEqual(toIds(await list('?outcome=http_error&status=delivered')), [])
  assert.deepEqual(toIds(await list('?status=pending')), [newestId, failedId])
  assert.deepEqual(toIds(await list('?q=order-1')), [liveId, testId])
  assert.deepEqual(toIds(await list('?q=order-1&status=delivered&mode=test')), [testId])
  assert.deepEqual(toIds(await list('?q=order-2&outcome=http_error')), [failedId])
  assert.deepEqual(toIds(await list(`?q=${failedId}`)), [failedId])
  assert.deepEqual(toIds(await list(`?q=${failedId}&mode=test`)), [])
  assert.deepEqual(toIds(await list('?q=order-1%25')), [], 'a percent sign is not a wildcard')
  const { createdAt } = (await list(`?q=${failedId}`)).items[0]!
  assert.deepEqual(toIds(await list(`?from=${createdAt}`)), [newestId, failedId])
  assert.deepEqual(toIds(await list(`?to=${createdAt}`)), [testId, liveId])
  assert.deepEqual(toIds(await list('?from=2020-01-01T00:00:00%2B01:00&to=2020-02-01T00:00:00Z')), [])
})

test('a search by customId pages through its matches in order', async () => {
  const ids: string[] = []
  for (const name of ['a-3', 'a-1', 'b-1', 'a-2', 'a-2', 'A-1'])
    ids.push(...(await queueCallbacks(db, projectId, 1, { customId: name })))
  const first = await list('?q=a-&limit=2')
  const second = await list(`?q=a-&limit=2&cursor=${first.nextCursor}`)
  assert.deepEqual(
    [...first.items, ...second.items].map((item) => item.customId),
    ['a-1', 'a-2', 'a-2', 'a-3'],
  )
  assert.equal(second.nextCursor, null)
  // Rows with the same customId are ordered by id, and ids of the same millisecond are in random order.
  assert.ok([ids[3], ids[4]].includes(toIds(first)[1]))
})

test('a callback is found by the id of its payment', async () => {
  const confirmed = await confirmPayment(deps, newOrder(projectId, { customId: 'by-transaction' }))
  assert.ok(confirmed.kind === 'payment')
  const [item] = (await list(`?q=${confirmed.payment.id}`)).items
  assert.equal(item?.transactionId, confirmed.payment.id)
})

test('a customId that looks like the id of a payment is found, page by page and with filters', async () => {
  const customId = newUuidV7(deps.clock)
  const ids = await queueCallbacks(db, projectId, 3, { customId })
  await queueCallbacks(db, projectId, 1, { customId: newUuidV7(deps.clock) })
  const first = await list(`?q=${customId}&limit=2`)
  const second = await list(`?q=${customId}&limit=2&cursor=${first.nextCursor}`)
  assert.deepEqual([...toIds(first), ...toIds(second)].toSorted(), ids.toSorted())
  assert.equal((await list(`?q=${customId}&status=pending`)).items.length, 3)
  assert.deepEqual(toIds(await list(`?q=${customId}&status=exhausted`)), [])
})

for (const query of [
  'limit=0',
  'limit=101',
  'limit=1.5',
  'limit=5;drop',
  'mode=prod',
  'status=sent',
  'outcome=bad',
  'from=yesterday',
  'q=',
  'cursor=%20',
  `cursor=${Buffer.from('["2026","msg_1"]').toString('base64url')}`,
  `cursor=${Buffer.from(`["2026-99-15T03:00:00.000000Z","${UNKNOWN_ID}"]`).toString('base64url')}`,
  'nonsense=1',
  'mode=live&mode=test',
]) {
  test(`the list refuses the query "${query}"`, async () => {
    const response = await owner.get(`${base}/deliveries?${query}`)
    assert.deepEqual([response.status, response.code], [400, 'invalid_request'], response.text)
  })
}

test('a single callback is returned with all its attempts and with the fields that were sent, except that the hash is masked', async () => {
  const [id] = await queueCallbacks(db, projectId, 1, { customId: 'order-5', data: 'Čaj' })
  merchant.reply = respondWith(301, '', { location: 'https://www.shop.example.me/callback' })
  await deliverAll(deps)
  const response = await owner.get(`${base}/deliveries/${id}`)
  assert.equal(response.status, 200, response.text)
  const { callback, body, attempts, payerReturn } = response.json<{
    callback: CallbackView
    body: Record<string, unknown>
    attempts: AttemptView[]
    payerReturn: unknown
  }>()
  assert.equal(callback.id, id)
  assert.equal(payerReturn, null)
  const { hash, ...sent } = merchant.received[0]!.body
  assert.deepEqual(body, { ...sent, hash: '[removed]' })
  assert.match(String(hash), /^eyJ/)
  assert.equal(attempts.length, 1)
  assert.match(attempts[0]!.cause!, /www\.shop\.example\.me/)
  assert.doesNotMatch(response.text, /eyJ|v1,|sk_live|webhook-signature/)
})

test('an unknown callback and a malformed id are refused', async () => {
  assert.equal((await owner.get(`${base}/deliveries/${UNKNOWN_ID}`)).status, 404)
  assert.equal((await owner.get(`${base}/deliveries/msg_1`)).status, 400)
})

test('the CSV file has exactly the filtered callbacks, and no cell is executed as a formula', async () => {
  await queueCallbacks(db, projectId, 3, { customId: 'order-1', data: '=HYPERLINK("https://evil")' })
  await queueCallbacks(db, projectId, 2, { mode: 'test', customId: '@x;y' })
  merchant.reply = respondWith(500)
  await deliverAll(deps)
  const english = await owner.get(`${base}/deliveries.csv?mode=live`)
  assert.equal(english.status, 200)
  assert.match(String(english.headers['content-type']), /^text\/csv/)
  assert.match(
    String(english.headers['content-disposition']),
    /^attachment; filename="deliveries-[a-z0-9]{24}-live-\d{4}-\d{2}-\d{2}\.csv"$/,
  )
  const lines = english.text.split('\r\n')
  assert.equal(lines.length, 1 + 3 + 1)
  assert.ok(lines[0]!.startsWith('\uFEFFTime (UTC),'))
  assert.match(lines[0]!, /,Order ID,Description,/)
  assert.match(lines[1]!, /,order-1,"'=HYPERLINK\(""https:\/\/evil""\)",1,/)
  assert.match(lines[1]!, /,http_error,500,/)
  const montenegrin = await owner.get(`${base}/deliveries.csv?mode=test&lang=cnr`)
  const [head, row] = montenegrin.text.split('\r\n')
  assert.ok(head!.startsWith('\uFEFFVrijeme (UTC);'))
  assert.match(head!, /;Broj narudžbe;Opis;/)
  assert.match(row!, /;"'@x;y";/)
  assert.match(row!, /;"15,00";1500;EUR;/)
})

test('a long CSV file has every callback once, and is cut off when its reader loses access', async () => {
  const ids = await queueCallbacks(db, projectId, 2_500, { dueInSec: 3600 })
  const response = await owner.get(`${base}/deliveries.csv`)
  const found = [...response.text.matchAll(/msg_[0-9a-f]{32}/g)].map(([id]) => id)
  assert.equal(found.length, ids.length)
  assert.deepEqual(new Set(found), new Set(ids))
  const account = (await findAccountByEmail(db, owner.email))!
  const options = { projectId, filters: {}, locale: 'en' as const }
  const csvParts = await exportDeliveries(deps, account, options, async () => false)
  let received = 0
  await assert.rejects(
    async () => {
      for await (const part of csvParts) received += part.length > 0 ? 1 : 0
    },
    { code: 'unauthenticated' },
  )
  assert.equal(received, 2, 'the headings and the first part')
  const member = (await findAccountByEmail(db, (await signUp(app)).email))!
  const setRole = (role: string) =>
    rows(
      db,
      `insert into project_members (project_id, account_id, role, mails) values ($1, $2, $3, '{}')
       on conflict (project_id, account_id) do update set role = excluded.role`,
      [projectId, member.id, role],
    )
  await setRole('finance')
  const rest = await exportDeliveries(deps, member, options, async () => true)
  await setRole('support')
  await assert.rejects(
    async () => {
      for await (const part of rest) received += part.length > 0 ? 1 : 0
    },
    { code: 'forbidden_role' },
  )
  assert.equal(received, 4)
})

test('a callback that was delivered before the payer returned is shown with the time between delivery and return', async () => {
  const [id] = await queueCallbacks(db, projectId)
  await deliverAll(deps)
  await untilStatus(db, id!, 'delivered')
  await changeCallbacks(
    db,
    `update callbacks c set payer_returned_at = s.delivered_at + interval '40 milliseconds'
     from callback_states s where s.project_id = c.project_id and s.id = c.id`,
  )
  type Detail = { payerReturn: { at: string; aheadMs: number | null } }
  const { payerReturn } = (await owner.get(`${base}/deliveries/${id}`)).json<Detail>()
  assert.equal(payerReturn.aheadMs, 40)
})

test('every role except finance may resend callbacks and send test callbacks, and only roles with the permission `money` get the CSV file', async () => {
  const [id] = await queueCallbacks(db, projectId)
  const EXPECTED: ['GET' | 'POST', string, object | undefined, refused: string][] = [
    ['GET', '/deliveries', undefined, ''],
    ['GET', '/deliveries.csv', undefined, 'developer support'],
    ['POST', `/deliveries/${id}/resend`, {}, 'finance'],
    ['POST', '/deliveries/resend-failed', { since: '2026-01-01T00:00:00Z' }, 'finance'],
    ['POST', '/test-callbacks', { status: 'success', amount: '1500' }, 'finance'],
  ]
  for (const [method, path, body, refused] of EXPECTED) {
    const roles = await findRefusedRoles(service, projectId, (one) =>
      one.send(method, `${base}${path}`, body),
    )
    assert.equal(roles, refused, path)
  }
})
