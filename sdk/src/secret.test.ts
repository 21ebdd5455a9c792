import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { LIVE_SECRET, NOW_SEC, PROJECT_ID, TEST_SECRET } from '../test/forge.ts'
import * as sdk from './index.ts'
import { requireSecret } from './secret.ts'

test('the prefix defines the mode, and a secret without a prefix has no mode', () => {
  assert.equal(sdk.findSecretMode(TEST_SECRET), 'test')
  assert.equal(sdk.findSecretMode(LIVE_SECRET), 'live')
  assert.equal(sdk.findSecretMode('whsec_sk_test_'), null)
})

test('a secret of less than 32 bytes is refused', () => {
  for (const secret of ['k'.repeat(32), 'š'.repeat(16)]) assert.equal(requireSecret(secret), secret)
  for (const secret of ['k'.repeat(31), `${'š'.repeat(15)}k`])
    assert.throws(() => requireSecret(secret), sdk.SecretError)
})

const genuine = sdk.signTestCallback({ secret: TEST_SECRET, nowSec: NOW_SEC })
const question = { projectId: PROJECT_ID, customId: 'c' }
const link = { amount: '1', project: PROJECT_ID }
const SHORT = 'sk_test_tooshort'

const failures: Record<string, () => unknown> = {
  'a short secret to sign a token': () => sdk.signJwt({}, SHORT),
  'a short secret to verify a token': () => sdk.verifyJwt('a.b.c', SHORT, { nowSec: NOW_SEC }),
  'a short secret to sign a link': () => sdk.signPayLink({ ...link, mode: 'test' }, SHORT),
  'the test secret for a live link': () => sdk.signPayLink(link, TEST_SECRET),
  'the live secret for a test link': () => sdk.signPayLink({ ...link, mode: 'test' }, LIVE_SECRET),
  'a link with both a signature and a secret': () =>
    sdk.buildPayUrl('https://a.example', { ...link, sig: 'x', secret: LIVE_SECRET }),
  'a secret as the base URL': () => sdk.buildPayUrl(LIVE_SECRET, link),
  'a secret as the amount': () => sdk.buildPayUrl('https://a.example', { ...link, amount: LIVE_SECRET }),
  'a short secret for a status check': () => sdk.signStatusHash(question, SHORT),
  'a secret with a dot as webhook id': () =>
    sdk.signWebhook({ id: `${LIVE_SECRET}.`, timestampSec: NOW_SEC, body: '', secret: LIVE_SECRET }),
  'a secret as JSON': () => sdk.parseStrictJson(LIVE_SECRET, { maxDepth: 1 }),
  'a test callback that is verified with the live secret': () =>
    sdk.verifyCallback(genuine.body, genuine.headers, {
      secret: LIVE_SECRET,
      expectedAmount: '1500',
      nowSec: NOW_SEC,
    }),
  'a callback with an unexpected amount': () =>
    sdk.verifyCallback(genuine.body, genuine.headers, {
      secret: TEST_SECRET,
      expectedAmount: '1',
      nowSec: NOW_SEC,
    }),
  'a callback without expectedAmount': () =>
    sdk.verifyCallback(genuine.body, genuine.headers, { secret: TEST_SECRET } as sdk.VerifyCallbackOptions),
  'a test callback where a live callback is expected': () =>
    sdk.verifyCallback(genuine.body, genuine.headers, {
      secret: TEST_SECRET,
      expectedAmount: '1500',
      nowSec: NOW_SEC,
      mode: 'live',
    }),
}
for (const [caseName, fail] of Object.entries(failures)) {
  test(`the error for ${caseName} shows no secret`, async () => {
    const error: unknown = await Promise.resolve()
      .then(fail)
      .then(
        () => assert.fail('nothing was thrown'),
        (thrown: unknown) => thrown,
      )
    assert.ok(error instanceof Error && error.name !== 'AssertionError', String(error))
    const shown = [
      String(error),
      error.stack,
      inspect(error, { depth: 9, showHidden: true }),
      JSON.stringify(error),
      JSON.stringify(error.cause) ?? '',
    ]
    for (const secret of [TEST_SECRET, LIVE_SECRET, SHORT]) {
      assert.ok(!shown.join('\n').includes(secret.slice(8)), `${caseName} shows a secret`)
    }
  })
}
