import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openTrialWithData } from '../../test/embedded-trial.ts'
import { ensureLogin } from './embedded-login.ts'

/** PostgreSQL sends this message after a login and after each query. */
const READY = Buffer.from('Z\0\0\0\u0005I')

/**
 * Starts a proxy and returns its port. On connection number `stalled`, the proxy forwards nothing after the login and
 * keeps the sockets open.
 */
async function startStallingProxy(t: TestContext, serverPort: number, stalled: number): Promise<number> {
  const sockets: Socket[] = []
  let count = 0
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    count += 1
    const isStalling = count === stalled
    const server = connect(serverPort, '127.0.0.1')
    sockets.push(client, server)
    let isHanging = false
    client.on('data', (data) => isHanging || server.write(data))
    server.on('data', (data: Buffer) => {
      if (!isHanging) client.write(data)
      if (isStalling && data.includes(READY)) isHanging = true
    })
    server.on('close', () => isHanging || client.destroy())
    for (const socket of [client, server]) socket.on('error', () => undefined)
  })
  t.after(() => {
    proxy.close()
    for (const socket of sockets) socket.destroy()
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return (proxy.address() as AddressInfo).port
}

test('ensureLogin fails if the server stops responding after the login', { timeout: 30_000 }, async (t) => {
  const trial = await openTrialWithData(t)
  const postgres = await trial.start()
  const password = (await readFile(join(trial.dir, 'cluster', 'password'), 'utf8')).trim()
  const serverPort = Number(new URL(postgres.adminUrl('postgres')).port)
  const loginWith = async (stalled: number) =>
    ensureLogin({ port: await startStallingProxy(t, serverPort, stalled), password }, 2_000)
  const expected = /did not respond within 2000 ms/
  await assert.rejects(loginWith(1), expected, 'at the first query')
  await assert.rejects(loginWith(2), expected, 'at the end of the second connection')
  await loginWith(3)
})
