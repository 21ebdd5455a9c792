import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { plainResponse, startRawServer } from '../../test/raw-server.ts'
import { dialDirect, untilEvent } from './dial.ts'

const NEVER_ABORTED = new AbortController().signal

test('a dialed socket reports the address it is connected to', async (t) => {
  const server = await startRawServer(t, plainResponse('200 OK'))
  const { socket, peerAddress } = await dialDirect('127.0.0.1', server.port, NEVER_ABORTED)
  assert.equal(peerAddress, '127.0.0.1')
  socket.destroy()
})

test('a socket that is still connecting at the time limit is destroyed', async () => {
  const socket = new Socket()
  const limit = new AbortController()
  const waiting = untilEvent(socket, 'connect', limit.signal)
  limit.abort(new Error('time is up'))
  await assert.rejects(waiting, { message: 'time is up' })
  assert.equal(socket.destroyed, true)
})

test('if the time limit has already passed, dialing fails without waiting', async () => {
  const socket = new Socket()
  await assert.rejects(untilEvent(socket, 'connect', AbortSignal.abort(new Error('too late'))), {
    message: 'too late',
  })
  assert.equal(socket.destroyed, true)
})

test('a time limit that passes after the connection is made does not close the socket', async (t) => {
  const server = await startRawServer(t, plainResponse('200 OK'))
  const limit = new AbortController()
  const { socket } = await dialDirect('127.0.0.1', server.port, limit.signal)
  limit.abort()
  assert.equal(socket.destroyed, false)
  socket.destroy()
})

test('waiting for a socket fails if the socket is closed before it is usable', async () => {
  const socket = new Socket()
  const waiting = untilEvent(socket, 'secureConnect', NEVER_ABORTED)
  socket.destroy()
  await assert.rejects(waiting, { message: 'the other side closed the connection' })
})
