import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { startTcpProxy } from '../../test/tcp-proxy.ts'
import { createTestDatabase } from '../../test/database.ts'
import { migrate, MigrationError } from './migrate.ts'

const database = await createTestDatabase()
after(() => database.drop())

async function holdLock(): Promise<pg.Client> {
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  await holder.query('select pg_advisory_lock(7218001)')
  return holder
}

test('if a process waits too long for the migrations of another process, it fails, and the error names the other process', async () => {
  const holder = await holdLock()
  const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid')
  const lines: string[] = []
  await assert.rejects(
    migrate(database.url, { lockWaitMaxMs: 300, log: (line) => lines.push(line) }),
    (error: unknown) =>
      error instanceof MigrationError &&
      error.message.includes(`PostgreSQL process ${rows[0]!.pid} from 127.0.0.1`),
  )
  assert.equal(lines.length, 1)
  assert.match(lines[0]!, /waiting for another process that migrates the database/)
  await holder.end()
  assert.equal(await migrate(database.url), 0)
})

test('a requested stop ends the wait for the migrations of another process', async () => {
  const holder = await holdLock()
  const stop = new AbortController()
  const reason = new Error('stop')
  await assert.rejects(
    migrate(database.url, { signal: stop.signal, log: () => stop.abort(reason) }),
    (error: unknown) => error === reason,
  )
  await holder.end()
})

test('a start that waits for the lock fails with a clear error if the database stops responding', async () => {
  const holder = await holdLock()
  const proxy = await startTcpProxy(database.url)
  await assert.rejects(
    migrate(proxy.url, { log: () => proxy.goSilent() }),
    (error: unknown) =>
      error instanceof MigrationError && /connection to the database was lost/.test(error.message),
  )
  await proxy.close()
  await holder.end()
})
