import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../../test/harness.ts'
import type { Db } from '../db/pool.ts'
import { findAccountByEmail } from '../accounts/accounts-store.ts'
import { parseEmail } from '../accounts/email-address.ts'
import { ServiceError } from '../lib/service-error.ts'
import { listProjects } from '../projects/projects-store.ts'
import { ensureDemo } from './demo.ts'

const SHOP_URL = 'http://localhost:3009'
const { deps } = await startTestService()

/** A database that is away each time one more step than before has been done. */
function awayAfterEachStep(db: Db): { db: Db; timesAway(): number } {
  let steps = 0
  let patience = 0
  const step = () => {
    if (steps++ < patience) return
    steps = 0
    patience += 1
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
  return { db: shaky, timesAway: () => patience }
}

test('a demo begun while the database comes and goes is made once, and found again at the next start', async () => {
  const shaky = awayAfterEachStep(deps.db)
  const demo = await ensureDemo({ ...deps, db: shaky.db }, SHOP_URL)
  assert.ok(shaky.timesAway() > 3, String(shaky.timesAway()))
  const account = await findAccountByEmail(deps.db, parseEmail(demo.email).key)
  assert.ok(account)
  const names = (await listProjects(deps.db, account.id)).map((project) => project.name)
  assert.deepEqual(names.sort(), ['Demo prodavnica', 'Moj prvi projekat'])
  assert.deepEqual(await ensureDemo(deps, SHOP_URL), demo)
})

test('a database that stays away ends the start', async () => {
  const away = async () => {
    throw new ServiceError('unavailable')
  }
  const db: Db = { ...deps.db, query: away, transaction: away }
  await assert.rejects(ensureDemo({ ...deps, db }, SHOP_URL), { code: 'unavailable' })
})
