// The ways a merchant goes through the portal, each within its number of presses, by mouse and by keyboard; and at the
// end the proof that together they use everything the portal's backend offers. The journeys stand in `journeys/`, by
// area; they are one file to the test runner, because the proof is about all of their calls.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../harness.ts'
import { testAccount } from './journeys/account.ts'
import { testBeginning } from './journeys/beginning.ts'
import { testClosing } from './journeys/closing.ts'
import { testDailyWork } from './journeys/daily-work.ts'
import { World } from './journeys/world.ts'
import type { Call } from './portal-browser.ts'
import { startPortal } from './portal-service.ts'
import { findUnused } from './reach.ts'

const world = new World(await startPortal())
testBeginning(world)
testDailyWork(world)
testAccount(world)
testClosing(world)

test('the journeys use every route of the portal’s backend and every field of a project', async () => {
  const { app } = await startTestService()
  const document = (await app.inject('/openapi.json')).json<object>()
  const findIn = (calls: readonly Call[]) => findUnused(app.knownRoutes(), document, calls)
  assert.deepEqual(findIn(world.calls), { routes: [], fields: [] })
  // And it would be noticed: each area has routes that no other uses.
  for (const route of ['test-secret/rotate', 'deliveries/resend-failed', 'tokens/revoke']) {
    const others = world.calls.filter(({ path }) => !path.endsWith(route))
    assert.deepEqual(
      findIn(others).routes.map((unused) => unused.endsWith(route)),
      [true],
    )
  }
})
