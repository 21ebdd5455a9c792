import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import { rows } from '../test/accounts.ts'
import { startTcpProxy } from '../test/tcp-proxy.ts'
import { createTestDatabase } from '../test/database.ts'
import { queueCallbacks } from '../test/deliveries.ts'
import { startPayments } from '../test/payments.ts'
import { insertPayments } from '../test/transactions.ts'
import { until } from '../test/until.ts'
import type { AccountId } from './accounts/account.ts'
import { DUE_CHANNEL } from './callbacks/ownership.ts'
import { parseConfig } from './config.ts'
import { createSealBox } from './lib/seal.ts'
import { ServiceError } from './lib/service-error.ts'
import { wire } from './wire.ts'

const database = await createTestDatabase()
const proxy = await startTcpProxy(database.url)
const env = { DATABASE_QUERY_TIMEOUT_MS: '6000' }
const { deps } = await startPayments(env, { databaseUrl: proxy.url })
const shared = await startPayments()
after(async () => {
  await proxy.close()
  await database.drop()
})

test('a statement that takes longer than DATABASE_QUERY_TIMEOUT_MS fails', async () => {
  await rows(deps.db, 'select 1')
  proxy.goSilent()
  await assert.rejects(rows(deps.db, 'select 2'), (error: unknown) => {
    assert.ok(error instanceof ServiceError && error.cause instanceof Error)
    assert.match(error.cause.message, /no response from the database within 6000 ms/)
    return true
  })
  proxy.resume()
})

test('the service refuses a wrong SECRETS_KEY and a changed currency or scale; a command accepts a changed currency or scale', async () => {
  const running = await startPayments()
  const start = (env: Record<string, string>, isCommand = false) =>
    wire(parseConfig({ ...running.env, ...env }), {
      databaseUrl: running.databaseUrl,
      log: running.deps.log,
      isCommand,
    }).then((started) => started.db.close())
  const otherKey = { SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') }
  await assert.rejects(start(otherKey), /sealed under another key/)
  await start({ ...otherKey, SECRETS_KEY_PREVIOUS: running.env['SECRETS_KEY']! })

  await insertPayments(running.deps, running.projectId, [{}])
  for (const env of [{ CURRENCY: 'USD' }, { AMOUNT_SCALE: '0' }]) {
    await assert.rejects(start(env), /this database holds payments in EUR:2/)
    await start(env, true)
  }
})

test('a process that refuses to start closes its connections at once, so that a command does not wait for them', async () => {
  const running = await startPayments()
  const countSessions = async () => {
    const counted = 'select count(*)::integer as n from pg_stat_activity where datname = current_database()'
    return (await rows<{ n: number }>(running.deps.db, counted))[0]!.n
  }
  const before = await countSessions()
  const settings = parseConfig({ ...running.env, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') })
  const started = wire(settings, { databaseUrl: running.databaseUrl, log: running.deps.log, isCommand: true })
  await assert.rejects(started, /sealed under another key/)
  // Idle connections end by themselves only after ten seconds.
  await until(
    async () => (await countSessions()) <= before,
    'the sessions of the failed start have ended',
    5_000,
  )
})

test('if there are no payments, another currency is accepted and recorded', async () => {
  const running = await startPayments({ CURRENCY: 'USD' })
  assert.equal(running.deps.installation.currency, 'USD')
  const settings = parseConfig({ ...running.env, CURRENCY: 'JPY', AMOUNT_SCALE: '0' })
  const started = await wire(settings, { databaseUrl: running.databaseUrl, log: running.deps.log })
  const { currency, scale, scaleOfOldPayments } = started.installation
  await started.db.close()
  assert.deepEqual([currency, scale, scaleOfOldPayments], ['JPY', 0, 0])
})

test('wakeDelivery notifies other processes, and allowed hosts come from both options and settings', async () => {
  const running = await startPayments({ CALLBACK_ALLOW_HOSTS: 'one.example:443' })
  const started = await wire(parseConfig({ ...running.env }), {
    databaseUrl: running.databaseUrl,
    log: running.deps.log,
    allowHosts: ['localhost:4000'],
  })
  let woken = 0
  const stop = started.db.signals.listen(DUE_CHANNEL, (payload) => (woken += payload === null ? 0 : 1))
  await until(() => (running.deps.wakeDelivery(), woken > 0), 'the other process is woken')
  stop()
  await started.db.close()
  assert.deepEqual([...started.allowHosts].toSorted(), ['localhost:4000', 'one.example:443'])
})

test('without its master key the service does not start on a database with secrets', async () => {
  const settings = { ...shared.env, SECRETS_KEY: '', DATA_DIR: path.join(shared.env['DATA_DIR']!, 'lost') }
  const started = wire(parseConfig(settings), { databaseUrl: shared.databaseUrl, log: shared.deps.log })
  await assert.rejects(started, /secrets\.key is missing, and the database holds secrets/)
})

test('the purposes of the seals are unchanged, so that values sealed by earlier releases can be opened', async () => {
  const master = Buffer.from(shared.env['SECRETS_KEY']!, 'base64')
  const seal = (purpose: string, context: string) =>
    createSealBox([master], purpose).seal(Buffer.from('plain'), context)
  const { secretBox, mailTokens, attemptTokens, installationKeys, factorSecrets } = shared.deps
  for (const [purpose, box] of Object.entries({
    'project-secret': secretBox,
    'mail-token': mailTokens,
    'attempt-token': attemptTokens,
    'installation-key': installationKeys,
  }))
    assert.equal(box.open(seal(purpose, 'row'), 'row')?.toString(), 'plain', purpose)
  const accountId = 'account' as AccountId
  const box = createSealBox([master], 'second-factor')
  const { sealedHashes, codes } = factorSecrets.newCodes(accountId)
  assert.notEqual(box.open(sealedHashes[0]!, `recovery:${accountId}`), null)
  assert.equal(factorSecrets.isCode(accountId, sealedHashes[0]!, codes[0]!), true)
})

test('callbacks are sent through the configured proxy', async (t) => {
  const tunnels: string[] = []
  const proxyServer = createServer().on('connect', (request, socket) => {
    tunnels.push(request.url ?? '')
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
  })
  proxyServer.listen(0, '127.0.0.1')
  await once(proxyServer, 'listening')
  t.after(() => proxyServer.close())
  const { port } = proxyServer.address() as AddressInfo
  const noRecord = () => Promise.reject(Object.assign(new Error('none'), { code: 'ENODATA' }))
  const started = await wire(parseConfig({ ...shared.env, EGRESS_PROXY: `http://127.0.0.1:${port}` }), {
    databaseUrl: shared.databaseUrl,
    log: shared.deps.log,
    resolver: { resolve4: async () => ['8.8.8.8'], resolve6: noRecord },
  })
  const outcome = await started.publicFetch.post('https://shop.example.com/', {}, Buffer.from('{}'))
  await started.publicFetch.close()
  await started.db.close()
  assert.deepEqual([outcome.isEgressFault, tunnels], [true, ['8.8.8.8:443']])
})

test('hasLiveQueued is true for a queued live callback, and false for a queued test callback', async () => {
  const { db } = shared.deps
  const hasLiveQueued = () => db.transaction((tx) => shared.deps.hasLiveQueued(tx, shared.projectId))
  await queueCallbacks(db, shared.projectId, 1, { mode: 'test' })
  assert.equal(await hasLiveQueued(), false)
  await queueCallbacks(db, shared.projectId, 1, { mode: 'live' })
  assert.equal(await hasLiveQueued(), true)
})
