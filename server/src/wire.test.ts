import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { rows } from '../test/accounts.ts'
import { startDatabaseProxy } from '../test/database-proxy.ts'
import { createTestDatabase } from '../test/database.ts'
import { startPayments } from '../test/payments.ts'
import { ServiceError } from './lib/service-error.ts'

const database = await createTestDatabase()
const proxy = await startDatabaseProxy(database.url)
const env = { DATABASE_QUERY_TIMEOUT_MS: '6000' }
const { deps } = await startPayments(env, { databaseUrl: proxy.url })
after(async () => {
  await proxy.close()
  await database.drop()
})

test('a statement that takes longer than DATABASE_QUERY_TIMEOUT_MS fails', async () => {
  await rows(deps.db, 'select 1')
  proxy.goSilent()
  await assert.rejects(rows(deps.db, 'select 2'), (error: unknown) => {
    assert.ok(error instanceof ServiceError && error.cause instanceof Error)
    assert.match(error.cause.message, /no response from the database within 6000 ms/)
    return true
  })
  proxy.resume()
})
