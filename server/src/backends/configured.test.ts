import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { startTestService } from '../../test/harness.ts'
import { NeverSentError } from './backend.ts'
import { createBackends } from './configured.ts'

const { deps, config } = await startTestService()

test('if the use of an upstream account cannot be recorded, the payment goes on, and the next payment records it', async () => {
  let refused = 0
  const db: typeof deps.db = {
    ...deps.db,
    query: (what, values) => {
      if (what.name !== 'upstream_accounts.note_use' || refused > 0) return deps.db.query(what, values)
      refused += 1
      return Promise.reject(new Error('the database is lost'))
    },
  }
  const url = 'http://127.0.0.1:9/'
  const parts = {
    config: { ...config, backend: 'http' as const, backendUrl: url, backendSecret: 'x'.repeat(32) },
    db,
    clock: deps.clock,
    log: deps.log,
    installationId: deps.installation.id,
  }
  const { live } = await createBackends(parts)
  const used = () => rows(deps.db, 'select from upstream_accounts where last_used_at is not null')
  const charge = {
    id: '019a8b6e-5c3f-7d2a-8e4b-1f2a3b4c5d6e',
    amount: 1500n,
    currency: 'EUR',
    scale: 2,
    projectId: 'shop',
    mode: 'live' as const,
    customId: null,
    data: null,
    returnUrl: 'https://pay.example/pay/1',
  }
  // Nothing listens on port 9. NeverSentError comes from the request to the upstream, so the payment went on to that point.
  await assert.rejects(live.create(charge), NeverSentError)
  assert.deepEqual([refused, (await used()).length], [1, 0])
  await assert.rejects(live.create(charge), NeverSentError)
  assert.equal((await used()).length, 1)
})
