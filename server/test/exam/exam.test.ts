import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { toExamRequests } from '@pazar/contract'
import type { ExamReport, ExamRequests } from '@pazar/contract'
import { createShop } from '../../../examples/shop/src/shop.ts'
import type { AccountId } from '../../src/accounts/account.ts'
import { createPublicFetch } from '../../src/egress/public-fetch.ts'
import { runExam } from '../../src/exam/run-exam.ts'
import { readSecret } from '../../src/secrets/secrets.ts'
import { rows } from '../accounts.ts'
import { signUp } from '../client.ts'
import { startTestService } from '../harness.ts'
import { accept, respondWith, startMerchant } from '../merchant.ts'
import { startListener } from './listener.ts'
import { BROKEN_SHOPS, createShopCode } from './shops.ts'

const shop = await startMerchant()
const sampleShop = await startListener()
const service = await startTestService({
  CALLBACK_ALLOW_HOSTS: `${shop.hostAndPort},${sampleShop.hostAndPort}`,
})
after(() => shop.close())
const { deps } = service
const owner = await signUp(service.app)
const { id: projectId } = await owner.addProject({ apiUrl: shop.url })
const base = `/portal/api/projects/${projectId}`
const secret = await readSecret(deps, deps.db, projectId, 'test')

beforeEach(() => Object.assign(shop, { reply: accept, received: [] }))

async function examine(language = 'en'): Promise<ExamReport> {
  const response = await owner.post(`${base}/exam?lang=${language}`, { confirm: true })
  assert.equal(response.status, 200, response.text)
  return response.json<ExamReport>()
}

function failedOf(report: ExamReport): string[] {
  return report.scenarios.filter(({ passed }) => !passed).map(({ name }) => name)
}

for (const [caseName, secretName] of [
  ['that sells in test mode', 'test'],
  ['that sells in live mode and also has the test secret', 'live'],
] as const) {
  test(`the sample shop ${caseName} passes the exam, and its order stays paid`, async () => {
    const { id } = await owner.addProject({ apiUrl: sampleShop.url })
    const testSecret = await readSecret(deps, deps.db, id, 'test')
    const settings = { payBaseUrl: 'https://pay.example.me', projectId: id, nowMs: Date.now }
    const shopSecret = await readSecret(deps, deps.db, id, secretName)
    sampleShop.listener = createShop({ ...settings, secret: shopSecret, testSecret })
    const response = await owner.post(`/portal/api/projects/${id}/exam`, { confirm: true })
    const report = response.json<ExamReport>()
    assert.deepEqual(failedOf(report), [], response.text)
    // There are eleven requests. The response time is the twelfth scenario.
    assert.deepEqual([report.passed, report.failed, report.scenarios.length], [12, 0, 12])
    assert.deepEqual(report.target, { url: sampleShop.url, live: true })
    const lateFail = report.scenarios.find(({ name }) => name === 'late_fail')
    assert.match(lateFail!.got, /your server says that the order is still paid/)
    await owner.post(`/portal/api/projects/${id}/archive`)
  })
}

test('a shop passes even if its responses do not say whether an order is paid; the report says that only the shop knows', async () => {
  shop.reply = createShopCode(secret, {}, false)
  const report = await examine()
  assert.deepEqual(failedOf(report), [])
  const lateFail = report.scenarios.find(({ name }) => name === 'late_fail')!
  assert.match(lateFail.got, /Only your server knows whether the order exam-[0-9a-f]{8}-good is still paid/)
})

test('the step "signature verified" of the overview is done only after the shop has passed every scenario', async () => {
  const { id } = await owner.addProject({ apiUrl: shop.url })
  const readSteps = async () =>
    (await owner.get(`/portal/api/projects/${id}/first-steps`)).json<{ signature: boolean }>()
  const ownSecret = await readSecret(deps, deps.db, id, 'test')
  shop.reply = accept
  await owner.post(`/portal/api/projects/${id}/exam`, { confirm: true })
  assert.equal((await readSteps()).signature, false)
  shop.reply = createShopCode(ownSecret)
  await owner.post(`/portal/api/projects/${id}/exam`, { confirm: true })
  assert.equal((await readSteps()).signature, true)
  await owner.post(`/portal/api/projects/${id}/archive`)
})

for (const { mistake, changedSteps, fails, fix } of BROKEN_SHOPS) {
  test(`a shop that ${mistake} fails exactly the expected scenarios`, async () => {
    shop.reply = createShopCode(secret, changedSteps)
    const report = await examine()
    assert.deepEqual(failedOf(report), fails, JSON.stringify(report, null, 1))
    assert.deepEqual([report.passed, report.failed], [12 - fails.length, fails.length])
    const first = report.scenarios.find(({ passed }) => !passed)!
    assert.match(first.fix!, fix)
    for (const one of report.scenarios) assert.equal(one.fix === null, one.passed)
  })
}

test('if a shop does not respond to one callback, the scenarios of this callback and of the response time fail, and the other callbacks are still sent', async () => {
  shop.reply = createShopCode(secret, { onRepeat: () => null })
  const quickFetch = createPublicFetch({
    resolver: deps.resolver,
    allowHosts: deps.allowHosts,
    limits: { totalTimeoutMs: 1_000 },
  })
  const { account } = (await owner.get('/portal/api/session')).json<{ account: { id: AccountId } }>()
  const requested = { projectId, body: { confirm: true }, locale: 'en' } as const
  const report = (await runExam({ ...deps, publicFetch: quickFetch }, account.id, requested)) as ExamReport
  await quickFetch.close()
  assert.deepEqual(failedOf(report), ['repeated', 'in_time'])
  const [repeated, inTime] = report.scenarios.filter(({ passed }) => !passed)
  assert.match(repeated!.got, /did not respond within 15 seconds/)
  assert.match(inTime!.got, /No response in time to: The same callback again/)
  assert.equal(shop.received.length, 11)
})

test('if the first callback cannot be delivered, no other request is sent and every scenario fails', async () => {
  const { id } = await owner.addProject({ apiUrl: shop.url })
  await rows(deps.db, 'update projects set api_url = $2 where id = $1', [id, 'https://10.0.0.1/callback'])
  const response = await owner.post(`/portal/api/projects/${id}/exam`, { confirm: true })
  const report = response.json<ExamReport>()
  assert.equal(report.passed, 0)
  assert.match(report.scenarios[0]!.got, /does not lead to a public address/)
  assert.match(report.scenarios[0]!.fix!, /public https address/)
  for (const { got, fix } of report.scenarios.slice(1)) {
    assert.match(got, /Not sent/)
    assert.match(fix!, /First make sure/)
  }
  assert.equal(shop.received.length, 0)
})

test('a redirect to a sign-in page is reported with its target, and does not count as a refusal', async () => {
  shop.reply = respondWith(302, '', { location: 'https://shop.example.me/login' })
  const report = await examine()
  assert.equal(report.passed, 1, 'only the scenario of the response time is passed')
  assert.match(report.scenarios[0]!.got, /redirect to https:\/\/shop\.example\.me\/login/)
})

test('if a shop refuses every callback, even the correct ones, the scenarios with forged callbacks fail too', async () => {
  shop.reply = respondWith(400, 'bad_signature')
  const report = await examine()
  assert.deepEqual(failedOf(report).length, 11)
  const forged = report.scenarios.find(({ name }) => name === 'bad_signature')!
  assert.match(forged.got, /^HTTP 400 in .*the correct callback is not accepted either/)
  assert.equal(forged.answer, 'bad_signature')
})

test('a response that requests a later retry does not count as a refusal', async () => {
  const correct = createShopCode(secret)
  // Only the request of changed_amount has this amount.
  shop.reply = (response, callback) =>
    callback.body['amount'] === '15' ? respondWith(429)(response, callback) : correct(response, callback)
  assert.deepEqual(failedOf(await examine()), ['changed_amount'])
})

test('the report is in the reader’s language', async () => {
  shop.reply = createShopCode(secret, { isPrice: () => true })
  const report = await examine('cnr')
  const changed = report.scenarios.find(({ name }) => name === 'changed_amount')!
  assert.equal(changed.title, 'Promijenjen iznos')
  assert.match(changed.expected, /odbija se odgovorom 4xx/)
  assert.match(changed.got, /^HTTP 200 za /)
  assert.match(changed.fix!, /Uporedite amount/)
})

test('a shop that echoes the whole request puts no signature, hash or secret into the report', async () => {
  shop.reply = (response, callback) =>
    response.writeHead(200).end(`${JSON.stringify(callback.headers)} ${callback.raw.toString()} ${secret}`)
  const response = await owner.post(`${base}/exam`, { confirm: true })
  assert.equal(response.status, 200)
  assert.match(response.text, /webhook-id/)
  for (const { headers, body } of shop.received) {
    const signature = String(headers['webhook-signature']).slice(3)
    if (headers['webhook-signature']) assert.ok(!response.text.includes(signature))
    const { hash } = body
    if (typeof hash === 'string') assert.ok(!response.text.includes(hash.slice(hash.lastIndexOf('.') + 1)))
  }
  assert.doesNotMatch(response.text, /eyJ|sk_test_/)
})

test('the owner can send the exam’s requests from their own machine and gets a report', async () => {
  shop.reply = createShopCode(secret, { isFresh: () => true })
  const prepared = await owner.post(`${base}/exam`, { deliver: 'caller' })
  assert.equal(prepared.status, 200, prepared.text)
  const { requests } = prepared.json<ExamRequests>()
  assert.equal(shop.received.length, 0, 'the service itself sends nothing')
  const answers = []
  for (const { name, method, headers, body } of requests) {
    const response = await fetch(shop.url, { method, headers, body })
    answers.push({ name, statusCode: response.status, durationMs: 7, body: await response.text() })
  }
  const response = await owner.post(`${base}/exam`, { answers })
  assert.equal(response.status, 200, response.text)
  const report = response.json<ExamReport>()
  assert.deepEqual(failedOf(report), ['stale_timestamp'])
  assert.deepEqual([report.target, report.passed], [null, 11])
})

test('a status gets the same finding whether the service or the caller sent the requests', async () => {
  const findingsOf = ({ scenarios }: ExamReport) => scenarios.map(({ name, fix }) => [name, fix])
  const requests = toExamRequests(['payment.result'])
  for (const status of [300, 302, 304]) {
    shop.reply = respondWith(status)
    const answers = requests.map((name) => ({ name, statusCode: status, durationMs: 1 }))
    const reported = (await owner.post(`${base}/exam`, { answers })).json<ExamReport>()
    assert.deepEqual(findingsOf(reported), findingsOf(await examine()), `status ${status}`)
  }
})

test('a scenario fails if the caller did not send its request, got no response, or got a late response', async () => {
  const judge = async (answers: object[]) =>
    failedOf((await owner.post(`${base}/exam`, { answers })).json<ExamReport>())
  const noResponse = { name: 'good', statusCode: null, durationMs: 3, error: 'connect' }
  assert.equal((await judge([noResponse])).length, 12)
  assert.equal(
    (await judge(toExamRequests(['payment.result']).map((name) => ({ ...noResponse, name })))).length,
    12,
  )
  const lateResponse = { name: 'good', statusCode: 200, durationMs: 15_001 }
  assert.equal((await judge([lateResponse])).length, 12)
  const good = { name: 'good', statusCode: 204, durationMs: 15_000 }
  const rest = ['repeated', 'late_fail', 'failure', 'unknown_field', 'large_data'].map((name) => ({
    ...good,
    name,
  }))
  assert.deepEqual(await judge([good, ...rest]), [
    'bad_signature',
    'missing_signature',
    'live_label',
    'changed_amount',
    'stale_timestamp',
    'in_time',
  ])
})
