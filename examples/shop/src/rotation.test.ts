import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyPayLinkSig } from '@pazar/sdk'
import { buy, LIVE_SECRET, PROJECT_ID, send, sign, startShop, toFacts } from '../test/shop-client.ts'

test('during a rotation the shop accepts the next secret and signs links with the current secret', async (t) => {
  const next = LIVE_SECRET.replace('0123', '4567')
  const shop = await startShop(t, [LIVE_SECRET, next])
  const { id, link } = await buy(shop)
  assert.match(
    (await send(shop, sign(toFacts(id), LIVE_SECRET.replace('0123', '3210'))))[1],
    /^bad_signature/,
  )
  assert.deepEqual(await send(shop, sign(toFacts(id), next)), [200, 'The order is paid.'])
  const { sig = '', ...signed } = Object.fromEntries(link.searchParams)
  const facts = { ...signed, amount: '1500', project: PROJECT_ID, mode: 'live' } as const
  assert.ok(verifyPayLinkSig(facts, sig, LIVE_SECRET))
})
