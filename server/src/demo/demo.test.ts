import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../../test/harness.ts'
import type { Db } from '../db/pool.ts'
import { findAccountByEmail } from '../accounts/accounts-store.ts'
import { parseEmail } from '../accounts/email-address.ts'
import { ServiceError } from '../lib/service-error.ts'
import { findProject, listProjects } from '../projects/projects-store.ts'
import { ensureDemo } from './demo.ts'

const SHOP_URL = 'http://localhost:3009'
const { deps } = await startTestService()

/** A database that fails at the first step, then at the second one, and so on. */
function failAfterEachStep(db: Db): { db: Db; failures(): number } {
  let steps = 0
  let stepsMax = 0
  const step = () => {
    if (steps++ < stepsMax) return
    steps = 0
    stepsMax += 1
    throw new ServiceError('unavailable')
  }
  const shaky: Db = {
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
  return { db: shaky, failures: () => stepsMax }
}

test('a demo started while the database fails repeatedly is created once, and reused at the next start', async () => {
  const shaky = failAfterEachStep(deps.db)
  const demo = await ensureDemo({ ...deps, db: shaky.db }, SHOP_URL)
  assert.ok(shaky.failures() > 3, String(shaky.failures()))
  const account = await findAccountByEmail(deps.db, parseEmail(demo.email).key)
  assert.ok(account)
  const names = (await listProjects(deps.db, account.id)).map((project) => project.name)
  assert.deepEqual(names.sort(), ['Demo prodavnica', 'Moj prvi projekat'])
  const shop = await findProject(deps.db, account.id, demo.projectId)
  assert.deepEqual(shop?.events, ['payment.result', 'refund.result'])
  assert.deepEqual(await ensureDemo(deps, SHOP_URL), demo)
})

test('the start fails if the database stays unavailable', async () => {
  const away = async () => {
    throw new ServiceError('unavailable')
  }
  const db: Db = { ...deps.db, query: away, transaction: away }
  await assert.rejects(ensureDemo({ ...deps, db }, SHOP_URL), { code: 'unavailable' })
})
