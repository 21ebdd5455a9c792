import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pauseProcess } from '../../test/pause-process.ts'
import { startRunningTimer } from './running-timer.ts'

test('a timer fires after its time, and a cancelled timer never fires', async () => {
  let fired = 0
  const cancel = startRunningTimer(60, () => assert.fail('cancelled'))
  cancel()
  const startMs = performance.now()
  await new Promise<void>((resolve) => {
    startRunningTimer(120, () => {
      fired += 1
      resolve()
    })
  })
  assert.ok(performance.now() - startMs >= 110)
  await sleep(150)
  assert.equal(fired, 1)
})

test('if the process is paused for longer than the timer, waiting data is read before the timer fires', async (t) => {
  // The replies come one after another, as in a login to PostgreSQL.
  const server = createServer((socket) =>
    socket.on('data', (data) => socket.write(data)).on('error', () => {}),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  t.after(() => socket.destroy())
  await once(socket, 'connect')
  let hasFired = false
  startRunningTimer(300, () => (hasFired = true))
  pauseProcess(500)
  for (let reply = 0; reply < 4; reply += 1) {
    socket.write('next')
    await once(socket, 'data')
  }
  assert.equal(hasFired, false)
})

test('a timer still fires if the process is paused again and again', async () => {
  let hasFired = false
  startRunningTimer(60, () => (hasFired = true))
  for (let pause = 0; pause < 14 && !hasFired; pause += 1) {
    pauseProcess(40)
    await sleep(1)
  }
  assert.equal(hasFired, true)
})
