// A stream notices in several ways that its reader has lost access, or that the stream has missed events. Each way is
// tested alone.
import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { beforeEach, test } from 'node:test'
import type { TestContext } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { addCallbackProject, queueCallbacks } from '../../test/deliveries.ts'
import { startPayments } from '../../test/payments.ts'
import { until } from '../../test/until.ts'
import { ATTEMPTS_CHANNEL } from '../callbacks/attempts-channel.ts'
import type { Listener } from '../db/signals.ts'
import { ACCESS_CHANNEL } from '../projects/members-store.ts'
import { findOwnerId } from '../projects/projects-store.ts'
import type { StreamOptions } from './client-stream.ts'
import { startEventStream } from './client-stream.ts'
import { createEventStreams } from './open-streams.ts'

const { deps } = await startPayments()
const { db } = deps
const CALLBACK_URL = 'https://shop.example.com/callback'
let options: StreamOptions
let isAllowed = true
let checks = 0

beforeEach(async () => {
  await rows(db, 'truncate callbacks, callback_lanes, event_streams cascade')
  const projectId = await addCallbackProject(deps, CALLBACK_URL)
  isAllowed = true
  checks = 0
  options = {
    accountId: (await findOwnerId(db, projectId))!,
    projectId,
    since: null,
    isOnlyWatching: false,
    isStillAllowed: async () => {
      checks += 1
      return isAllowed
    },
  }
})

function openResponse() {
  const out = new ServerResponse(new IncomingMessage(new Socket()))
  const written: string[] = []
  out.write = (text: string) => {
    written.push(text)
    return true
  }
  return { out, text: () => written.join('') }
}

/** The notifications of these streams come only from the test. */
function openStreams(t: TestContext) {
  const listeners = new Map<string, Listener>()
  const listen = (channel: string, listener: Listener) => {
    listeners.set(channel, listener)
    listener(null)
    return () => undefined
  }
  const streams = createEventStreams({ ...deps, db: { ...db, signals: { ...db.signals, listen } } })
  t.after(() => streams.close())
  return { streams, notify: (channel: string, text: string | null) => listeners.get(channel)!(text) }
}

/** Opens a stream and waits for its first ping. The next ping comes only 15 seconds later. */
async function openOne(t: TestContext) {
  const { streams, notify } = openStreams(t)
  const { out, text } = openResponse()
  const reserved = await streams.reserve(options)
  reserved.start(out)
  await until(() => text().includes(': ping'), 'the first ping')
  return { streams, notify, out, text }
}

/** Makes another account the owner. The reader's `isStillAllowed` does not notice that. */
async function endMembership(): Promise<void> {
  const otherId = await addCallbackProject(deps, CALLBACK_URL)
  const move =
    'update projects set owner_id = (select owner_id from projects where id = $1), slot = 2 where id = $2'
  await rows(db, move, [otherId, options.projectId])
}

const deliverOne = async () => {
  const [id = ''] = await queueCallbacks(db, options.projectId)
  await rows(
    db,
    `insert into callback_attempts (project_id, callback_id, attempt, url, started_at, duration_ms, outcome)
     values ($1, $2, 1, $3, now(), 1, 'delivered')`,
    [options.projectId, id, CALLBACK_URL],
  )
  return id
}

test('an event is sent to readers who have access, and to nobody who has lost it', async (t) => {
  const { notify, out, text } = await openOne(t)
  const first = await deliverOne()
  notify(ATTEMPTS_CHANNEL, `${options.projectId} ${first} 1 delivered`)
  await until(() => text().includes(first))
  await endMembership()
  const second = await deliverOne()
  notify(ATTEMPTS_CHANNEL, `${options.projectId} ${second} 1 delivered`)
  await until(() => out.writableEnded)
  assert.equal(text().includes(second), false)
})

test('a stream ends although no notification says that its reader has lost access', async (t) => {
  const { out } = await openOne(t)
  await endMembership()
  await until(() => out.writableEnded)
})

test('a notification about access makes a stream check its reader only if the notification names this reader and the project', async (t) => {
  const { notify, out } = await openOne(t)
  const { projectId, accountId } = options
  const checksBefore = checks
  for (const other of [`${projectId} ${projectId}`, `${accountId} ${accountId}`, '', projectId])
    notify(ACCESS_CHANNEL, other)
  assert.equal(checks, checksBefore)
  notify(ACCESS_CHANNEL, `${projectId} ${accountId}`)
  assert.equal(checks, checksBefore + 1)
  isAllowed = false
  notify(ACCESS_CHANNEL, `${projectId} ${accountId}`)
  await until(() => out.writableEnded)
})

test('after notifications were lost, a stream checks the access of its reader', async (t) => {
  const { notify, out } = await openOne(t)
  isAllowed = false
  const checksBefore = checks
  notify(ACCESS_CHANNEL, null)
  assert.equal(checks, checksBefore + 1)
  await until(() => out.writableEnded)
})

test('the access of the reader is checked as soon as the stream is open', async (t) => {
  const { streams } = await openOne(t)
  const reserved = await streams.reserve(options)
  isAllowed = false
  const checksBefore = checks
  const { out } = openResponse()
  reserved.start(out)
  assert.equal(checks, checksBefore + 1)
  await until(() => out.writableEnded)
})

test('a replay sends no event and ends the stream if its reader has lost access', async () => {
  const id = await deliverOne()
  const { out, text } = openResponse()
  const slot = { id: options.accountId, startPosition: 'at_0' }
  const stream = startEventStream(deps, slot, options, out)
  stream.replay()
  await until(() => text().includes(id))
  isAllowed = false
  const later = openResponse()
  startEventStream(deps, slot, options, later.out).replay()
  await until(() => later.out.writableEnded)
  assert.equal(later.text().includes(id), false)
})

test('events whose notifications were lost are sent as soon as notifications are received again', async (t) => {
  const { notify, text } = await openOne(t)
  const id = await deliverOne()
  notify(ATTEMPTS_CHANNEL, null)
  await until(() => text().includes(id))
})
