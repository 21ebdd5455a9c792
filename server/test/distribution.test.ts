// Checks whether the tables could be distributed over several servers by project_id. distribution.ts lists the exceptions.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { signStatusHash } from '@pazar/sdk'
import { startDeliveryWorker } from '../src/callbacks/worker-loop.ts'
import type { Db, Statement, Tx } from '../src/db/pool.ts'
import { publishAll } from '../src/feed/publish.ts'
import { readSecret } from '../src/secrets/secrets.ts'
import { rows } from './accounts.ts'
import { Client, signUp } from './client.ts'
import {
  KEYS_NOT_READY,
  findWithoutProject,
  PLACEMENTS,
  placementOf,
  STATEMENTS_NOT_READY,
} from './distribution.ts'
import { startTestService } from './harness.ts'
import { startMerchant } from './merchant.ts'
import { Payer, toLink, toTransactionId } from './payer.ts'
import { until } from './until.ts'

const merchant = await startMerchant()
after(() => merchant.close())
const { app, deps } = await startTestService({ CALLBACK_ALLOW_HOSTS: merchant.hostAndPort })

const TABLES = `select tablename as name from pg_tables where schemaname = 'public'`

interface Key {
  name: string
  table: string
  target: string | null
  columns: string[]
}

const UNIQUE = `select c.relname as name, t.relname as "table", null as target,
    array(select a.attname::text from pg_attribute a where a.attrelid = t.oid and a.attnum = any (i.indkey)) as columns
  from pg_index i join pg_class t on t.oid = i.indrelid join pg_class c on c.oid = i.indexrelid
  where i.indisunique and t.relkind in ('r', 'p') and t.relnamespace = 'public'::regnamespace`
const FOREIGN = `select f.conname as name, t.relname as "table", r.relname as target,
    array(select a.attname::text from pg_attribute a where a.attrelid = t.oid and a.attnum = any (f.conkey)) as columns
  from pg_constraint f join pg_class t on t.oid = f.conrelid join pg_class r on r.oid = f.confrelid
  where f.contype = 'f' and f.connamespace = 'public'::regnamespace`

/** Whether the key would work if the tables were distributed. */
function isReady({ table, target, columns }: Key): boolean {
  if (target === null) return placementOf(table) !== 'distributed' || columns.includes('project_id')
  const to = placementOf(target)
  if (to === 'distributed') return placementOf(table) === 'distributed' && columns.includes('project_id')
  return to === 'reference' || placementOf(table) === 'local'
}

test('every table that distribution.ts lists exists', async () => {
  const tables = await rows<{ name: string }>(deps.db, TABLES)
  const names = new Set(tables.map(({ name }) => name))
  assert.deepEqual(
    Object.keys(PLACEMENTS).filter((table) => !names.has(table)),
    [],
  )
})

test('every key works with distributed tables, except the keys that distribution.ts lists', async () => {
  const keys = [...(await rows<Key>(deps.db, UNIQUE)), ...(await rows<Key>(deps.db, FOREIGN))]
  assert.ok(keys.length > 80, 'the keys were not found')
  assert.deepEqual(
    keys
      .filter((key) => !isReady(key))
      .map(({ name }) => name)
      .toSorted(),
    KEYS_NOT_READY.map(({ name }) => name).toSorted(),
    'add project_id to the new key, or list the key in server/test/distribution.ts with the change that it needs',
  )
})

/** Stores the text of each statement in `sent`. The key is the statement's name. */
function recordStatements(db: Db, sent: Map<string, string>): Db {
  const record = ({ name, text }: Statement) => sent.set(name, text)
  const watch = (tx: Tx): Tx => ({
    inTransaction: true,
    query: (what, values) => {
      record(what)
      return tx.query(what, values)
    },
  })
  return {
    ...db,
    query: (what, values) => {
      record(what)
      return db.query(what, values)
    },
    transaction: (work) => db.transaction((tx) => work(watch(tx))),
  }
}

test('frequent statements have a condition on project_id, except those that distribution.ts lists', async (t) => {
  const owner = await signUp(app)
  const { id: projectId } = await owner.addProject({ apiUrl: merchant.url })
  const secrets = {
    live: await readSecret(deps, deps.db, projectId, 'live'),
    test: await readSecret(deps, deps.db, projectId, 'test'),
  }
  const sent = new Map<string, string>()
  deps.db = recordStatements(deps.db, sent)
  const worker = startDeliveryWorker(deps)
  t.after(() => worker.stop())

  const payer = new Payer(app)
  const paid = await payer.pay(toLink({ id: projectId, secrets }, { customId: 'order-1', data: 'Kafa' }))
  assert.equal(paid.status, 303)
  const transactionId = toTransactionId(paid.location)
  await until(() => merchant.received.length > 0, 'the callback arrives')
  await publishAll(deps, projectId)
  await payer.open(`/pay/${transactionId}`)
  const hash = signStatusHash({ projectId, customId: 'order-1' }, secrets.live)
  const check = { projectId, customId: 'order-1', hash }
  assert.equal((await new Client(app).post('/sdk/transaction/checkStatus', check)).status, 200)
  for (const [path, body] of [
    ['/sdk/transactions/list', { projectId }],
    ['/sdk/transaction/get', { projectId, transactionId }],
    ['/sdk/events/list', { projectId }],
  ] as const)
    assert.equal((await owner.post(path, body)).status, 200, path)
  assert.equal((await owner.get(`/portal/api/projects/${projectId}/deliveries`)).status, 200)

  const tables = await rows<{ name: string }>(deps.db, TABLES)
  const distributed = new Set(
    tables.map(({ name }) => name).filter((table) => placementOf(table) === 'distributed'),
  )
  const withoutProject = [...sent].flatMap(([name, text]) => {
    const found = findWithoutProject(text, distributed)
    return found.length > 0 ? [[name.replace(/^(list\.page)\..*/, '$1'), found]] : []
  })
  assert.ok(sent.has('payments.open') && sent.has('feed.page'), [...sent.keys()].join())
  assert.deepEqual(
    withoutProject.filter(([name]) => STATEMENTS_NOT_READY[String(name)] === undefined),
    [],
    'find the rows by their project, or list the statement in server/test/distribution.ts with the change that it needs',
  )
})

test('findWithoutProject finds the tables that a statement reads or writes without project_id', () => {
  const find = (sql: string) => findWithoutProject(sql, new Set(['transactions', 'callbacks']))
  assert.deepEqual(find('select * from transactions where id = $1'), ['transactions'])
  assert.deepEqual(find('select * from transactions t where t.project_id = $1 and t.id = $2'), [])
  assert.deepEqual(
    find('select 1 from transactions t join callbacks c on c.transaction_id = t.id where t.project_id = $1'),
    ['callbacks'],
  )
  assert.deepEqual(
    find('select project_id from (select * from transactions where attempt_id = $1) where project_id = $2'),
    ['transactions'],
  )
  assert.deepEqual(find('insert into callbacks (id, mode) values ($1, $2)'), ['callbacks'])
  assert.deepEqual(find('select * from projects where id = $1'), [])
})
