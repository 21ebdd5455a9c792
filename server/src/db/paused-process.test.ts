// These tests pause the process for longer than its time limits, as if it got no processor time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { rows } from '../../test/accounts.ts'
import { createTestDatabase } from '../../test/database.ts'
import { pauseProcess } from '../../test/pause-process.ts'
import { batchQuery } from './batch-query.ts'
import { Connection, CONNECT_TIMEOUT_MS, toConnectionOptions } from './connection.ts'
import { openDb, statement } from './pool.ts'

const database = await createTestDatabase()
const QUERY_TIMEOUT_MS = 300
const PAUSE_MS = 500
const db = openDb(database.url, { queryTimeoutMs: QUERY_TIMEOUT_MS, onError: () => undefined })
test.after(async () => {
  await db.close()
  await database.drop()
})

test('a login goes on after the pause', async () => {
  const client = new Connection(toConnectionOptions(database.url, QUERY_TIMEOUT_MS))
  const login = client.connect()
  await sleep(1)
  pauseProcess(PAUSE_MS)
  await login
  await client.end()
})

test('a response that arrived during the pause counts', async () => {
  const response = rows(db, 'select 1 as one')
  await sleep(1)
  pauseProcess(PAUSE_MS)
  assert.deepEqual(await response, [{ one: 1 }])
})

test('a response that arrives during a pause at the end of the time limit counts', async () => {
  const slowDb = openDb(database.url, { queryTimeoutMs: 1_200, onError: () => undefined })
  await rows(slowDb, 'select 1')
  // The pause begins in the last sixth of the time limit, and ends a little after the limit.
  const response = rows(slowDb, 'select pg_sleep(1.1), 1 as one')
  await sleep(1_050)
  // After a pause at this point, timers fire before sockets are read.
  await setImmediate()
  pauseProcess(250)
  assert.partialDeepStrictEqual(await response, [{ one: 1 }])
  await slowDb.close()
})

test('statements that waited for a free connection during the pause are executed after the pause', async () => {
  const ECHO = statement('test.echo', 'select n, n as requested from unnest($1::integer[]) as t(n)')
  // The time limit is much longer than the sleep, because the responses of 16 connections may be late on a busy machine.
  const patientDb = openDb(database.url, { queryTimeoutMs: 2_000, onError: () => undefined })
  const busy = Array.from({ length: 16 }, () => rows(patientDb, 'select pg_sleep(0.2)'))
  const waiting = [rows(patientDb, 'select 1 as n'), batchQuery(patientDb, ECHO, [1])]
  await sleep(1)
  pauseProcess(CONNECT_TIMEOUT_MS + PAUSE_MS)
  for (const found of await Promise.all(waiting)) assert.partialDeepStrictEqual(found, [{ n: 1 }])
  await Promise.all(busy)
  await patientDb.close()
})
