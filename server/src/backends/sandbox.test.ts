import { after } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { createTestDatabase } from '../../test/database.ts'
import { openDb } from '../db/pool.ts'
import { testBackend } from './backend-suite.ts'
import { testLists } from './list-suite.ts'
import { payAt, testRefunds } from './refund-suite.ts'
import { createSandbox, finishBankStep } from './sandbox.ts'

const database = await createTestDatabase()
const db = openDb(database.url, { onError: () => undefined })
after(async () => {
  await db.close()
  await database.drop()
})

testBackend('sandbox', async () => ({
  backend: createSandbox(db, 'http://localhost:3000'),
  actAtBank: (id, outcome) => finishBankStep(db, id, outcome),
  async countCharges(id) {
    const text = "select from sandbox_charges where id = $1 and status = 'succeeded'"
    return (await rows(db, text, [id])).length
  },
}))

testRefunds('sandbox', async () => {
  const backend = createSandbox(db, 'http://localhost:3000')
  return {
    backend,
    pay: (amount) => payAt(backend, amount),
    async sumRefunds(paymentId) {
      const text = `select coalesce(sum(amount), 0)::bigint as sum from sandbox_refunds
        where payment_id = $1 and status = 'succeeded'`
      return (await rows<{ sum: bigint }>(db, text, [paymentId]))[0]!.sum
    },
  }
})

testLists('sandbox', async () => {
  const backend = createSandbox(db, 'http://localhost:3000')
  return {
    backend,
    pay: (amount, fields) => payAt(backend, amount, fields),
    async dispute(paymentId) {
      // A payment of 4007 is disputed a few seconds after it was made. The update makes the payment old enough.
      const text = `update sandbox_charges set created_at = now() - interval '5 seconds' where id = $1`
      await rows(db, text, [paymentId])
    },
  }
})
