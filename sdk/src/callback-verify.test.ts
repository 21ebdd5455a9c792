import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { countRounds } from '../../server/test/counts.ts'
import { LIVE_SECRET, NOW_SEC, PROJECT_ID, TEST_SECRET } from '../test/forge.ts'
import { signTestCallback } from './callback-sample.ts'
import { CallbackVerificationError, safeVerifyCallback, verifyCallback } from './callback-verify.ts'
import { SecretError } from './secret.ts'
import {
  sampleOptions,
  valid,
  verifyOptions,
  verify,
  verifyResigned,
  splitHash,
  rehash,
} from '../test/callback-outcomes.ts'

test('a genuine callback is returned as its parsed body', async () => {
  const expected: unknown = JSON.parse(valid.body)
  assert.deepEqual(await verifyCallback(valid.body, valid.headers, verifyOptions), expected)
  assert.deepEqual(
    await verifyCallback(Buffer.from(valid.body), new Headers(valid.headers), verifyOptions),
    expected,
  )
  const upperCaseHeaders = Object.fromEntries(
    Object.entries(valid.headers).map(([name, value]) => [name.toUpperCase(), value]),
  )
  assert.deepEqual(
    await verifyCallback(new TextEncoder().encode(valid.body), upperCaseHeaders, verifyOptions),
    expected,
  )
})

test('a callback that satisfies every option is accepted', async () => {
  assert.equal(await verify(valid.body, { projectId: PROJECT_ID, mode: 'test', toleranceSec: 0 }), 'ok')
})

test('a forged, altered or unsigned callback is refused as bad_signature', async () => {
  assert.equal(await verify(valid.body.replace('"1500"', '"2500"')), 'bad_signature')
  assert.equal(await verify(`${valid.body}\n`), 'bad_signature')
  assert.equal(await verify(JSON.stringify(JSON.parse(valid.body), null, 2)), 'bad_signature')
  assert.equal(await verify(valid.body, { secret: TEST_SECRET.replace('0123', '3210') }), 'bad_signature')
  const unsigned = await safeVerifyCallback(valid.body, {}, verifyOptions)
  assert.equal(unsigned.ok ? 'ok' : unsigned.reason, 'bad_signature')
  for (const missing of ['v1,', 'v1', '']) {
    const headers = { ...valid.headers, 'webhook-signature': missing }
    assert.equal(await verify(valid.body, {}, headers), 'bad_signature')
  }
})

test('with several secrets, a callback signed with any of them is accepted', async () => {
  const otherSecret = TEST_SECRET.replace('0123', '3210')
  assert.equal(await verify(valid.body, { secret: [otherSecret, TEST_SECRET] }), 'ok')
  assert.equal(await verify(valid.body, { secret: [TEST_SECRET, otherSecret] }), 'ok')
  assert.equal(await verify(valid.body, { secret: [otherSecret] }), 'bad_signature')
  assert.equal(
    await verify(valid.body, { secret: [otherSecret, TEST_SECRET], nowSec: NOW_SEC + 600 }),
    'expired',
  )
  // If this were accepted, a test callback could mark a live order as paid.
  assert.equal(await verify(valid.body, { secret: [LIVE_SECRET, TEST_SECRET], mode: 'live' }), 'wrong_mode')
  for (const secret of [[], [TEST_SECRET, 'short']])
    await assert.rejects(verifyCallback(valid.body, valid.headers, { ...verifyOptions, secret }), SecretError)
})

test('by default, a callback signed ten minutes before or after the present time is refused as expired', async () => {
  assert.equal(await verify(valid.body, { nowSec: NOW_SEC + 300 }), 'ok')
  assert.equal(await verify(valid.body, { nowSec: NOW_SEC + 600 }), 'expired')
  assert.equal(await verify(valid.body, { nowSec: NOW_SEC - 600 }), 'expired')
  assert.equal(await verify(valid.body, { nowSec: NOW_SEC + 600, toleranceSec: 600 }), 'ok')
})

test('without nowSec the system clock is used', async () => {
  const { nowSec: _nowSec, ...options } = verifyOptions
  const newCallback = signTestCallback({ secret: TEST_SECRET })
  assert.equal((await verifyCallback(newCallback.body, newCallback.headers, options)).amount, '1500')
  const oldCallback = signTestCallback({ secret: TEST_SECRET, nowSec: 1_000_000_000 })
  await assert.rejects(verifyCallback(oldCallback.body, oldCallback.headers, options), { reason: 'expired' })
})

test('another project’s callback is refused as wrong_project', async () => {
  assert.equal(await verify(valid.body, { projectId: 'tz4a98xxat96iws9zmbrgj3b' }), 'wrong_project')
})

test('an amount that differs from expectedAmount is refused as amount_mismatch', async () => {
  assert.equal(await verify(valid.body, { expectedAmount: '2000' }), 'amount_mismatch')
  assert.equal(await verify(valid.body, { expectedAmount: '' }), 'amount_mismatch')
  assert.equal(await verify(valid.body, { expectedAmount: '1500.0' }), 'amount_mismatch')
  assert.equal(await verify(valid.body, { expectedAmount: () => '2000' }), 'amount_mismatch')
  assert.equal(
    await verify(valid.body, {
      expectedAmount: async (callback) => prices[callback.customId ?? ''] ?? '',
    }),
    'ok',
  )
  for (const unknown of [undefined, null]) {
    assert.equal(await verify(valid.body, { expectedAmount: () => unknown as never }), 'amount_mismatch')
  }
})

test('if expectedAmount is not text, a TypeError is thrown, and the callback is not refused as a mismatch', async () => {
  for (const notText of [1500, 1500n, ['1500'], true]) {
    for (const expectedAmount of [notText, () => notText, async () => notText]) {
      const options = { ...verifyOptions, expectedAmount: expectedAmount as never }
      const expectedError = {
        name: 'TypeError',
        message: /^expectedAmount must be text such as '1500', not \w+\.$/,
      }
      await assert.rejects(verifyCallback(valid.body, valid.headers, options), expectedError)
      await assert.rejects(safeVerifyCallback(valid.body, valid.headers, options), expectedError)
    }
  }
})

const prices: Record<string, string> = { 'order-7': '1500' }

test('expectedAmount is mandatory, and is called only for a genuine callback', async () => {
  for (const missing of [undefined, null]) {
    const options = { ...verifyOptions, expectedAmount: missing as never }
    await assert.rejects(verifyCallback(valid.body, valid.headers, options), /expectedAmount is missing/)
    await assert.rejects(safeVerifyCallback(valid.body, valid.headers, options), TypeError)
  }
  let calls = 0
  const expectedAmount = () => String((calls += 1))
  await verify(`${valid.body} `, { expectedAmount })
  await verify(valid.body, { expectedAmount, projectId: 'other' })
  assert.equal(calls, 0)
  await verify(valid.body, { expectedAmount })
  assert.equal(calls, 1)
})

test('an error thrown by expectedAmount is passed on', async () => {
  const fault = new Error('database is down')
  const expectedAmount = () => Promise.reject(fault)
  await assert.rejects(verifyCallback(valid.body, valid.headers, { ...verifyOptions, expectedAmount }), fault)
  await assert.rejects(
    safeVerifyCallback(valid.body, valid.headers, { ...verifyOptions, expectedAmount }),
    fault,
  )
})

test('a secret that does not match the option `mode` is refused as wrong_mode, with an explanation', async () => {
  const asLive = verifyCallback(valid.body, valid.headers, { ...verifyOptions, mode: 'live' })
  await assert.rejects(asLive, { reason: 'wrong_mode', message: /live call .* test secret/ })
  const live = signTestCallback({ ...sampleOptions, secret: LIVE_SECRET })
  const asTest = verifyCallback(live.body, live.headers, {
    ...verifyOptions,
    secret: LIVE_SECRET,
    mode: 'test',
  })
  await assert.rejects(asTest, { reason: 'wrong_mode', message: /test call .* live secret/ })
})

test('a body that names another mode than the mode of its secret is refused as wrong_mode', async () => {
  const { facts } = splitHash(valid.body)
  assert.equal(await verifyResigned(rehash({ ...facts, mode: 'live' })), 'wrong_mode')
  assert.equal(
    await verifyResigned(rehash({ ...facts, mode: 'test' }, {}, LIVE_SECRET), LIVE_SECRET),
    'wrong_mode',
  )
  // A secret without a prefix fits both modes, so only the body decides.
  const secret = 'k'.repeat(40)
  const { body, headers } = signTestCallback({ ...sampleOptions, secret })
  assert.equal(await verify(body, { secret, mode: 'live' }, headers), 'wrong_mode')
  assert.equal(await verify(body, { secret, mode: 'test' }, headers), 'ok')
})

test('without the option `mode`, a secret of the wrong mode is refused as bad_signature, and the error names the right secret', async () => {
  const live = signTestCallback({ ...sampleOptions, secret: LIVE_SECRET })
  await assert.rejects(verifyCallback(live.body, live.headers, verifyOptions), {
    reason: 'bad_signature',
    message: /does not match the raw body\. This is a live call .* use the live secret/,
  })
  await assert.rejects(verifyCallback(valid.body, valid.headers, { ...verifyOptions, secret: LIVE_SECRET }), {
    reason: 'bad_signature',
    message: /use the test secret/,
  })
})

test('a parsed object instead of the raw body is refused as malformed, and the error says what to pass', async () => {
  const parsed = JSON.parse(valid.body) as string
  await assert.rejects(verifyCallback(parsed, valid.headers, verifyOptions), {
    reason: 'malformed',
    message: /raw body/,
  })
})

test('a missing or short secret throws a SecretError, even from safeVerifyCallback', async () => {
  for (const secret of ['', 'x'.repeat(31), undefined]) {
    const options = { ...verifyOptions, secret: secret as string }
    await assert.rejects(verifyCallback(valid.body, valid.headers, options), SecretError)
    await assert.rejects(safeVerifyCallback(valid.body, valid.headers, options), SecretError)
  }
})

test('safeVerifyCallback returns the callback, or the reason and its error', async () => {
  const passed = await safeVerifyCallback(valid.body, valid.headers, verifyOptions)
  assert.equal(passed.ok && passed.callback.customId, 'order-7')
  const refused = await safeVerifyCallback(valid.body, valid.headers, {
    ...verifyOptions,
    expectedAmount: '1',
  })
  assert.ok(
    !refused.ok && refused.reason === 'amount_mismatch' && refused.error instanceof CallbackVerificationError,
  )
})

test('a randomly changed callback is refused, unless its meaning is unchanged and it is signed again', async (t) => {
  const change = fc.record({
    from: fc.nat(valid.body.length),
    drop: fc.nat(4),
    put: fc.string({ unit: 'binary-ascii', maxLength: 3 }),
  })
  let resignedCount = 0
  await fc.assert(
    fc.asyncProperty(change, fc.boolean(), async ({ from, drop, put }, isResigned) => {
      const body = valid.body.slice(0, from) + put + valid.body.slice(from + drop)
      if (body === valid.body) return
      const result = isResigned ? await verifyResigned(body) : await verify(body)
      // White space or an escape changes the bytes but not the meaning.
      if (isResigned && result === 'ok') assert.deepEqual(JSON.parse(body), JSON.parse(valid.body))
      else assert.match(result, /^(bad_signature|malformed)$/)
      if (isResigned) resignedCount += 1
    }),
    { numRuns: countRounds('forgeries', t) },
  )
  assert.ok(resignedCount > 0)
})
