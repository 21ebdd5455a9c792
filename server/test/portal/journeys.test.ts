// The journeys of a merchant through the portal are in `journeys/`. They run as one file, because the last test needs the
// requests of all journeys.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../harness.ts'
// The files are imported in this order, because the first journeys sign up the accounts that the others use.
import './journeys/first-hour.ts'
import './journeys/daily-work.ts'
import './journeys/account.ts'
import './journeys/second-factor.ts'
import './journeys/passkeys.ts'
import './journeys/members.ts'
import './journeys/closing.ts'
import { world } from './journeys/world.ts'
import type { RecordedRequest } from './portal-browser.ts'
import { findUnused } from './unused-routes.ts'

test('the journeys use every field of a project and every route of the portal’s API, except the routes for the CLI', async () => {
  const { app } = await startTestService()
  const document = (await app.inject('/openapi.json')).json<object>()
  const findIn = (calls: readonly RecordedRequest[]) => findUnused(app.knownRoutes(), document, calls)
  assert.deepEqual(findIn(world.calls), { routes: [], fields: [] })
  // If the requests to a route are left out, findUnused must list that route.
  for (const route of ['test-secret/rotate', 'deliveries/resend-failed', 'tokens/revoke']) {
    const others = world.calls.filter(({ path }) => !path.endsWith(route))
    assert.deepEqual(
      findIn(others).routes.map((unused) => unused.endsWith(route)),
      [true],
    )
  }
})
