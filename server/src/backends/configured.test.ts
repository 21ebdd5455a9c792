import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signWebhook } from '@pazar/sdk'
import { rows } from '../../test/accounts.ts'
import { startTestService } from '../../test/harness.ts'
import { NeverSentError } from './backend.ts'
import { createBackends } from './configured.ts'

const { deps, config } = await startTestService()

test('a payment is sent even if the use of the upstream account cannot be recorded, and the next payment records the use', async () => {
  let refused = 0
  const db: typeof deps.db = {
    ...deps.db,
    query: (what, values) => {
      if (what.name !== 'upstream_accounts.record_use' || refused > 0) return deps.db.query(what, values)
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
  const listUsed = () => rows(deps.db, 'select from upstream_accounts where last_used_at is not null')
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
  // Nothing listens on port 9, so a NeverSentError shows that the request was attempted.
  await assert.rejects(live.create(charge), NeverSentError)
  assert.deepEqual([refused, (await listUsed()).length], [1, 0])
  await assert.rejects(live.create(charge), NeverSentError)
  assert.equal((await listUsed()).length, 1)
})

const SECRETS = ['x'.repeat(32), 'y'.repeat(32)] as const
const HTTP = {
  ...{ backendUrl: 'http://127.0.0.1:9/', backendSecret: SECRETS[0], backendSecretPrevious: SECRETS[1] },
}
const create = (fields: Partial<typeof config>) =>
  createBackends({
    config: { ...config, ...HTTP, ...fields },
    db: deps.db,
    clock: deps.clock,
    log: deps.log,
    installationId: deps.installation.id,
  })

test('the currency is checked at the upstream that opens payments, but not at the upstreams in BACKENDS_KEPT', async () => {
  const asLive = await create({ backend: 'http', backendsKept: ['http'] })
  assert.deepEqual([asLive.live.name, asLive.previous], ['http', []])
  assert.equal(typeof asLive.live.findTermsProblem, 'function')
  const asKept = await create({ backend: 'sandbox', backendsKept: ['http'] })
  assert.equal(asKept.live, asKept.test)
  assert.deepEqual(
    asKept.previous.map(({ name, findTermsProblem }) => [name, findTermsProblem]),
    [['http', undefined]],
  )
})

test('a webhook that is signed with the current or the previous secret is accepted', async () => {
  const { live } = await create({ backend: 'http' })
  const body = JSON.stringify({ id: 'a', status: 'failed', amount: '1500', currency: 'EUR' })
  const kinds = [...SECRETS, 'z'.repeat(32)].map((secret) => {
    const timestampSec = Math.floor(deps.clock.nowMs() / 1000)
    const headers = signWebhook({ id: 'evt_1', timestampSec, body, secret })
    return live.readWebhook!({ rawBody: Buffer.from(body), headers }).kind
  })
  assert.deepEqual(kinds, ['report', 'report', 'forged'])
})
