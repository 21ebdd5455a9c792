import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../../test/harness.ts'
import { addPayProject, Payer, toLink } from '../../test/payer.ts'
import { recordStatements } from '../../test/payments.ts'

const service = await startTestService()
const shop = await addPayProject(service.deps)
const work = recordStatements(service.deps)
service.deps.db = work.deps.db
// Before the redirect, the service waits for the delivery of the callback. This wait is disabled here, because it runs a
// statement of its own.
service.deps.deliveryWaits = { ...service.deps.deliveryWaits, waitForDelivery: async () => false }

test('pressing Pay takes four statements: reading the link, our two commits, and the entry in the sandbox’s ledger', async () => {
  const payer = new Payer(service.app)
  const page = await payer.open(toLink(shop, { customId: 'work' }))
  work.statements.length = 0
  const statementsBefore = work.deps.db.statementCount()
  assert.equal((await payer.press(page)).status, 303)
  assert.deepEqual(work.statements, ['checkout.find_target', 'payments.open', 'payments.settle_order'])
  assert.equal(work.deps.db.statementCount() - statementsBefore, 4)
})

test('pressing Pay again takes one statement, which reads the link and the existing payment', async () => {
  const payer = new Payer(service.app)
  const page = await payer.open(toLink(shop, { customId: 'again' }))
  await payer.press(page)
  work.statements.length = 0
  assert.equal((await payer.press(page)).status, 303)
  assert.deepEqual(work.statements, ['checkout.find_target'])
})
