import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { CALLBACK_EVENTS } from '@pazar/contract'
import type { CallbackEventName, ExamReport } from '@pazar/contract'
import { createShop } from '../../../examples/shop/src/shop.ts'
import { readSecret } from '../../src/secrets/secrets.ts'
import { signUp } from '../client.ts'
import { startTestService } from '../harness.ts'
import { accept, startMerchant } from '../merchant.ts'
import { startListener } from './listener.ts'
import { BROKEN_EVENT_SHOPS, createShopCode } from './shops.ts'

const shop = await startMerchant()
const sampleShop = await startListener()
const service = await startTestService({
  CALLBACK_ALLOW_HOSTS: `${shop.hostAndPort},${sampleShop.hostAndPort}`,
})
after(() => shop.close())
const { deps } = service
const owner = await signUp(service.app)

beforeEach(() => Object.assign(shop, { reply: accept, received: [] }))

/** A new project receives only payment.result. */
async function addProject(apiUrl: string) {
  const { id } = await owner.addProject({ apiUrl })
  const secret = await readSecret(deps, deps.db, id, 'test')
  const receive = async (events: readonly CallbackEventName[]) => {
    await owner.stepUp()
    const response = await owner.post('/sdk/project/update', { projectId: id, events })
    assert.equal(response.status, 200, response.text)
  }
  const examine = async (body: object = { confirm: true }, language = 'en'): Promise<ExamReport> => {
    const response = await owner.post(`/portal/api/projects/${id}/exam?lang=${language}`, body)
    assert.equal(response.status, 200, response.text)
    return response.json<ExamReport>()
  }
  return { id, secret, receive, examine }
}

const { secret, receive, examine } = await addProject(shop.url)

const failedOf = ({ scenarios }: ExamReport) =>
  scenarios.filter(({ passed }) => !passed).map(({ name }) => name)
const listEventsSent = () => [...new Set(shop.received.map(({ body }) => body['event']))]

test('the exam sends only payment.result to a project that receives only payment.result', async () => {
  shop.reply = createShopCode(secret)
  const report = await examine()
  // There are eleven requests. The response time is the twelfth scenario.
  assert.deepEqual([report.passed, report.failed], [12, 0])
  assert.equal(shop.received.length, 11)
  assert.deepEqual(listEventsSent(), ['payment.result'])
  const ok = { statusCode: 200, durationMs: 1 }
  const reported = await examine({
    answers: [
      { name: 'good', ...ok },
      { name: 'refund', ...ok },
    ],
  })
  assert.equal(reported.scenarios.length, 12, 'a response to a request that was not sent is ignored')
})

for (const [events, total] of [
  [['payment.result', 'refund.result'], 15],
  [['payment.result', 'dispute.opened'], 14],
  [['payment.result', 'dispute.closed'], 13],
  [CALLBACK_EVENTS, 18],
] as const) {
  test(`a correct shop that receives ${events.join(', ')} passes all ${total} scenarios`, async () => {
    await receive(events)
    shop.reply = createShopCode(secret)
    const report = await examine()
    assert.deepEqual([failedOf(report), report.passed], [[], total])
    assert.deepEqual(listEventsSent(), [...events])
  })
}

test('the sample shop passes the exam with every event', async () => {
  const project = await addProject(sampleShop.url)
  await project.receive(CALLBACK_EVENTS)
  const settings = { payBaseUrl: 'https://pay.example.me', projectId: project.id, nowMs: Date.now }
  sampleShop.listener = createShop({ ...settings, secret: project.secret })
  const report = await project.examine()
  assert.deepEqual([failedOf(report), report.passed], [[], 18])
  const gotOf = (name: string) => report.scenarios.find((one) => one.name === name)?.got ?? ''
  assert.match(gotOf('refund'), /your server says that the order is still paid/)
  assert.match(gotOf('refund_first'), /your server says that the order is not paid/)
})

for (const { mistake, changedSteps, fails, fix } of BROKEN_EVENT_SHOPS) {
  test(`a shop that ${mistake} fails exactly the expected scenarios`, async () => {
    await receive(CALLBACK_EVENTS)
    shop.reply = createShopCode(secret, changedSteps)
    const report = await examine()
    assert.deepEqual(failedOf(report), fails, JSON.stringify(report, null, 1))
    assert.match(report.scenarios.find(({ passed }) => !passed)!.fix!, fix)
  })
}

test('the report about refunds is in the reader’s language', async () => {
  await receive(CALLBACK_EVENTS)
  shop.reply = createShopCode(secret, { readsEvent: false })
  const report = await examine({ confirm: true }, 'cnr')
  const refundFirst = report.scenarios.find(({ name }) => name === 'refund_first')!
  assert.equal(refundFirst.title, 'Povraćaj prije rezultata plaćanja')
  assert.match(refundFirst.got, /narudžba plaćena, iako/)
  assert.match(refundFirst.fix!, /Prvo pročitajte event/)
})

test('if a shop’s responses do not say whether an order is paid, the report says that only the shop knows', async () => {
  await receive(CALLBACK_EVENTS)
  shop.reply = createShopCode(secret, {}, false)
  const report = await examine()
  assert.deepEqual(failedOf(report), [])
  const refundFirst = report.scenarios.find(({ name }) => name === 'refund_first')!
  assert.match(refundFirst.got, /Only your server knows whether it marked the order as paid/)
})
