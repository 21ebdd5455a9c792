import { after } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { createTestDatabase } from '../../test/database.ts'
import { openDb } from '../db/pool.ts'
import { testBackend } from './backend-suite.ts'
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
