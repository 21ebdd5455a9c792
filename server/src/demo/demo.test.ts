import assert from 'node:assert/strict'
import { stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { verifyPayLinkSig } from '@pazar/sdk'
import { rows } from '../../test/accounts.ts'
import { startTestService } from '../../test/harness.ts'
import type { Db } from '../db/pool.ts'
import { findAccountByEmail } from '../accounts/accounts-store.ts'
import { parseEmail } from '../accounts/email-address.ts'
import { ServiceError } from '../lib/service-error.ts'
import { findProject, listProjects } from '../projects/projects-store.ts'
import { ensureDemo } from './demo.ts'

const SHOP_URL = 'http://localhost:3009'
const { deps } = await startTestService()

/**
 * A step is a query or a transaction. The first step fails. Then one step succeeds before the next failure, then two steps
 * succeed, and so on.
 */
function failAfterEachStep(db: Db): { db: Db; failures(): number } {
  let steps = 0
  let stepsMax = 0
  const step = () => {
    if (steps++ < stepsMax) return
    steps = 0
    stepsMax += 1
    throw new ServiceError('unavailable')
  }
  const failing: Db = {
    ...db,
    query: async (what, values) => {
      step()
      return db.query(what, values)
    },
    transaction: async (work) => {
      step()
      return db.transaction(work)
    },
  }
  return { db: failing, failures: () => stepsMax }
}

test('if the database fails repeatedly at the start, the demo is created once, and the next start reuses it', async () => {
  const failing = failAfterEachStep(deps.db)
  const demo = await ensureDemo({ ...deps, db: failing.db }, SHOP_URL)
  assert.ok(failing.failures() > 3, String(failing.failures()))
  const account = await findAccountByEmail(deps.db, parseEmail(demo.email).key)
  assert.ok(account)
  const names = (await listProjects(deps.db, account.id)).map((project) => project.name)
  assert.deepEqual(names.sort(), ['Moj prvi projekat', 'Tezga'])
  const shop = await findProject(deps.db, account.id, demo.projectId)
  assert.deepEqual(shop?.events, ['payment.result', 'refund.result'])
  assert.deepEqual(await ensureDemo(deps, SHOP_URL), demo)
})

test('the start fails if the database stays unavailable', async () => {
  const fail = async () => {
    throw new ServiceError('unavailable')
  }
  const db: Db = { ...deps.db, query: fail, transaction: fail }
  await assert.rejects(ensureDemo({ ...deps, db }, SHOP_URL), { code: 'unavailable' })
})

test('the password of the demo is in a file that only the file’s owner can read; the history of the demo is made once', async () => {
  const demo = await ensureDemo(deps, SHOP_URL)
  const { mode } = await stat(path.join(deps.config.dataDir, 'demo.json'))
  assert.equal(mode & 0o777, 0o600)
  assert.ok(demo.password.length >= 16, 'the password is too long to be guessed')
  const countPayments = async () =>
    (await rows(deps.db, 'select from transactions where project_id = $1', [demo.projectId])).length
  const madeAtFirst = await countPayments()
  assert.ok(madeAtFirst > 100, String(madeAtFirst))
  await ensureDemo(deps, SHOP_URL)
  assert.equal(await countPayments(), madeAtFirst)
})

test('the pay link of the demo is signed with the live secret of its shop', async () => {
  const demo = await ensureDemo(deps, SHOP_URL)
  const link = { amount: '1500', project: demo.projectId, data: 'Kafa 1 kg' }
  const { searchParams } = new URL(demo.payLink)
  assert.deepEqual([searchParams.get('amount'), searchParams.get('project')], ['1500', demo.projectId])
  assert.equal(verifyPayLinkSig(link, searchParams.get('sig') ?? '', demo.secret), true)
  assert.match(demo.testSecret, /^sk_test_/)
})

test('if the file of the demo is empty, as after a full disk, the demo gets a new password and keeps its shop', async () => {
  const demo = await ensureDemo(deps, SHOP_URL)
  await writeFile(path.join(deps.config.dataDir, 'demo.json'), '')
  const again = await ensureDemo(deps, SHOP_URL)
  assert.notEqual(again.password, demo.password)
  assert.equal(again.projectId, demo.projectId)
  assert.deepEqual(await ensureDemo(deps, SHOP_URL), again)
})
