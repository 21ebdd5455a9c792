import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createSecureContext } from 'node:tls'
import { createStubResolver, DnsFailure } from '../../test/stub-resolver.ts'
import { DeadlinePassed } from './deadline.ts'
import type { Dial } from './dial.ts'
import { connectVetted } from './vetted-connect.ts'

const NEVER_ABORTED = new AbortController().signal
const target = { hostname: 'shop.example.com', port: 80, isHttps: false, isExempt: false }

/** Only the address `working` responds. The others hang until their time is up. */
function connectTo(t: TestContext, addresses: string[], working: string) {
  const dialed: string[] = []
  const dial: Dial = (address, _port, signal) => {
    dialed.push(address)
    if (address === working) return Promise.resolve({ socket: new Socket(), peerAddress: address })
    return new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    )
  }
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const connecting = connectVetted(
    {
      resolver: createStubResolver({ 'shop.example.com': addresses }),
      lookupExempt: async () => [],
      dial,
      secureContext: createSecureContext(),
      connectTimeoutMs: 6_000,
    },
    target,
    NEVER_ABORTED,
  )
  const advance = async (ms: number) => {
    t.mock.timers.tick(ms)
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  return { dialed, connecting, advance }
}

const ADDRESSES = ['93.184.215.14', '93.184.215.15', '93.184.215.16', '93.184.215.17']

test('a first address that does not respond leaves half of the time for the second', async (t) => {
  const addresses = ADDRESSES.slice(0, 2)
  const { dialed, connecting, advance } = connectTo(t, addresses, addresses[1]!)
  await advance(0)
  await advance(2_999)
  assert.deepEqual(dialed, addresses.slice(0, 1))
  await advance(1)
  assert.deepEqual(dialed, addresses)
  assert.equal((await connecting).remoteIp, addresses[1])
})

test('the first three of four addresses share the time, and the fourth is not dialed', async (t) => {
  const { dialed, connecting, advance } = connectTo(t, ADDRESSES, ADDRESSES[3]!)
  const failed = assert.rejects(connecting, { message: 'could not connect: not done in time' })
  await advance(0)
  for (const count of [1, 2, 3]) {
    assert.deepEqual(dialed, ADDRESSES.slice(0, count))
    await advance(2_000)
  }
  await failed
  assert.deepEqual(dialed, ADDRESSES.slice(0, 3))
})

test('a name with a single address gets all of the time', async (t) => {
  const { dialed, connecting, advance } = connectTo(t, ADDRESSES.slice(0, 1), 'none')
  let ended = false
  const failed = assert.rejects(connecting).then(() => (ended = true))
  await advance(0)
  await advance(5_999)
  assert.deepEqual([dialed, ended], [ADDRESSES.slice(0, 1), false])
  await advance(1)
  await failed
})

test('a connection whose remote address is not known is closed, unless its host is exempt', async () => {
  for (const isExempt of [false, true]) {
    const socket = new Socket()
    const deps = {
      resolver: createStubResolver({ 'shop.example.com': ADDRESSES }),
      lookupExempt: async () => ADDRESSES,
      dial: async () => ({ socket, peerAddress: undefined }),
      secureContext: createSecureContext(),
      connectTimeoutMs: 6_000,
    }
    const connecting = connectVetted(deps, { ...target, isExempt }, NEVER_ABORTED)
    if (isExempt) assert.equal((await connecting).socket, socket)
    else await assert.rejects(connecting, { outcome: 'blocked_address' })
    assert.equal(socket.destroyed, !isExempt)
  }
})

const depsWith = (dial: Dial) => ({
  resolver: createStubResolver({ 'shop.example.com': ADDRESSES.slice(0, 2) }),
  lookupExempt: async () => [],
  dial,
  secureContext: createSecureContext(),
  connectTimeoutMs: 600_000,
})

test('if a connection leads to a private address, no other address of the name is tried', async () => {
  const dialed: string[] = []
  const dial: Dial = async (address) => {
    dialed.push(address)
    return { socket: new Socket(), peerAddress: dialed.length === 1 ? '10.0.0.1' : address }
  }
  await assert.rejects(connectVetted(depsWith(dial), target, NEVER_ABORTED), { outcome: 'blocked_address' })
  assert.deepEqual(dialed, ADDRESSES.slice(0, 1))
})

test('if the attempt ends while an address is dialed, no other address is tried', async () => {
  const attempt = new AbortController()
  const reason = new Error('the time is up')
  const dialed: string[] = []
  const dial: Dial = async (address) => {
    dialed.push(address)
    attempt.abort(reason)
    throw new Error('aborted')
  }
  await assert.rejects(connectVetted(depsWith(dial), target, attempt.signal), { message: 'aborted' })
  assert.deepEqual(dialed, ADDRESSES.slice(0, 1))
})

test('if every address refuses the connection, the error says so', async () => {
  const dial: Dial = () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
  const message = 'could not connect: ECONNREFUSED'
  await assert.rejects(connectVetted(depsWith(dial), target, NEVER_ABORTED), { outcome: 'connect', message })
})

test('if one address refuses the connection and the other address cannot be reached, the error names the refusal', async () => {
  const addresses = ['93.184.215.14', '2606:4700:4700::1111']
  const resolver = createStubResolver({ 'shop.example.com': addresses })
  const toError = (code: string) =>
    code === 'too late' ? new DeadlinePassed('not done in time') : Object.assign(new Error(code), { code })
  const connectWith = (codeOf: (address: string) => string) => {
    const dial: Dial = (address) => Promise.reject(toError(codeOf(address)))
    return connectVetted({ ...depsWith(dial), resolver }, target, NEVER_ABORTED)
  }
  for (const code of ['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'too late'])
    for (const unreachable of addresses) {
      const message = 'could not connect: ECONNREFUSED'
      const connecting = connectWith((address) => (address === unreachable ? code : 'ECONNREFUSED'))
      await assert.rejects(connecting, { message })
    }
  const message = 'could not connect: ENETUNREACH'
  await assert.rejects(
    connectWith(() => 'ENETUNREACH'),
    { message },
  )
})

test('the fault is ours if this machine has no file descriptors or no memory left for a socket', async () => {
  for (const code of ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']) {
    const dial: Dial = () => Promise.reject(Object.assign(new Error('failed'), { code }))
    const message = `could not connect: ${code}`
    const expected = { outcome: 'connect', isEgressFault: true, message }
    await assert.rejects(connectVetted(depsWith(dial), target, NEVER_ABORTED), expected)
  }
})

test('the fault is the merchant’s if a name server refused the lookup, and ours if no name server could be reached', async () => {
  for (const [code, isEgressFault] of [
    ['EREFUSED', false],
    ['ECONNREFUSED', true],
  ] as const) {
    const fails = () => Promise.reject(new DnsFailure(code))
    const deps = { ...depsWith(() => assert.fail('dialed')), resolver: { resolve4: fails, resolve6: fails } }
    await assert.rejects(connectVetted(deps, target, NEVER_ABORTED), { outcome: 'dns', isEgressFault })
  }
})

/** `rootCode`: how a lookup of the root zone ends. Null: the lookup never ends. */
function lookUpWith(hostCode: string | null, rootCode: string | null, connectTimeoutMs = 600_000) {
  const looked: string[] = []
  const resolve = (host: string) => {
    looked.push(host)
    const code = host === '.' ? rootCode : hostCode
    return code === null ? new Promise<never>(() => {}) : Promise.reject(new DnsFailure(code))
  }
  const resolver = { resolve4: resolve, resolve6: resolve }
  const deps = { ...depsWith(() => assert.fail('dialed')), resolver, connectTimeoutMs }
  return { looked, connecting: connectVetted(deps, target, NEVER_ABORTED) }
}

test('a failed lookup is our fault if a lookup of the root zone also fails, and otherwise the merchant’s fault', async () => {
  for (const [rootCode, isEgressFault] of [
    ['ENODATA', false],
    ['ESERVFAIL', true],
    ['ETIMEOUT', true],
    ['ECONNREFUSED', true],
  ] as const) {
    for (const hostCode of ['ETIMEOUT', 'ESERVFAIL']) {
      const { connecting } = lookUpWith(hostCode, rootCode)
      await assert.rejects(connecting, { outcome: 'dns', isEgressFault }, `${hostCode}, ${rootCode}`)
    }
  }
  const { looked, connecting } = lookUpWith('EREFUSED', null)
  await assert.rejects(connecting, { outcome: 'dns', isEgressFault: false })
  assert.equal(looked.includes('.'), false, 'a refused lookup needs no lookup of the root zone')
})

test('if the time to connect passes during the lookup, the lookup of the root zone has two more seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const advance = async (ms: number) => {
    t.mock.timers.tick(ms)
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  let isEnded = false
  const { looked, connecting } = lookUpWith(null, null, 5_000)
  const failed = assert
    .rejects(connecting, { outcome: 'dns', isEgressFault: true })
    .then(() => (isEnded = true))
  await advance(4_999)
  assert.equal(looked.includes('.'), false)
  await advance(1)
  assert.equal(looked.at(-1), '.')
  await advance(1_999)
  assert.equal(isEnded, false)
  await advance(1)
  await failed
})

test('an attempt that has already ended does not wait for the name lookup', async () => {
  const reason = new Error('the time is up')
  const resolver = {
    resolve4: () => new Promise<never>(() => {}),
    resolve6: () => new Promise<never>(() => {}),
  }
  const deps = { ...depsWith(() => assert.fail('dialed')), resolver }
  await assert.rejects(connectVetted(deps, target, AbortSignal.abort(reason)), reason)
})

test('a connection that was made leaves no timer behind', async () => {
  const countTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const timersBefore = countTimers()
  const dial: Dial = async (address) => ({ socket: new Socket(), peerAddress: address })
  await connectVetted(depsWith(dial), target, NEVER_ABORTED)
  assert.ok(countTimers() <= timersBefore)
})
