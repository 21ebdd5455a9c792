// Random and almost-right requests to every route: whatever a caller sends, the answer is a documented one, never a 500.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ERROR_STATUS } from '@pazar/contract'
import type { ErrorCode } from '@pazar/contract'
import { signUp } from './client.ts'
import { count } from './counts.ts'
import { createFuzz } from './fuzz.ts'
import { startTestService } from './harness.ts'

const service = await startTestService()
const SEED = 20_261_115

test('no request, however odd, is answered with a 500 or an undocumented shape', async (t) => {
  const rounds = count('apiFuzz', t)
  t.diagnostic(`seed ${SEED}`)
  let owner = await signUp(service.app)
  let { id } = await owner.addProject()
  const fuzz = createFuzz(SEED, () => id)
  const routes = service.app
    .knownRoutes()
    .flatMap((one) =>
      [...one.methods]
        .filter((method) => method !== 'HEAD')
        .map((method) => ({ method: method as 'GET' | 'POST', url: one.url })),
    )
  const seen = new Map<number, number>()
  for (let round = 0; round < rounds; round += 1) {
    const route = routes[round % routes.length]!
    const request = fuzz.request(route.method, route.url)
    const answer = await owner.send(route.method, request.url, request.body, request.headers)
    seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
    const what = `round ${round}: ${route.method} ${request.url.slice(0, 300)} ${request.body?.slice(0, 300)} -> ${answer.status} ${answer.text.slice(0, 300)}`
    assert.ok(answer.status < 500, what)
    // A sign-out among the requests is a good one; the rest of the run needs a session again.
    if (answer.status === 204 || answer.code === 'unauthenticated') {
      owner = await signUp(service.app)
      id = (await owner.addProject()).id
    }
    if (answer.status < 400 || String(answer.headers['content-type']).startsWith('text/html')) continue
    const problem = answer.json<{ code: ErrorCode; status: number; requestId: string }>()
    assert.equal(ERROR_STATUS[problem.code], answer.status, what)
    assert.equal(problem.status, answer.status, what)
    assert.ok(problem.requestId, what)
  }
  t.diagnostic(
    `answers by status: ${[...seen]
      .toSorted(([a], [b]) => a - b)
      .map(([status, n]) => `${status} ${n}`)
      .join(', ')}`,
  )
})
