// Sends valid and invalid requests to every route except event streams. Public routes must respond as the OpenAPI
// document describes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ERROR_STATUS } from '@pazar/contract'
import type { ErrorCode } from '@pazar/contract'
import { createRandom } from '../src/demo/random.ts'
import { Client, signUp } from './client.ts'
import type { ClientResponse } from './client.ts'
import { countRounds } from './counts.ts'
import { createFuzz } from './fuzz.ts'
import { breakRequest } from './fuzz/break-request.ts'
import { findUndescribed, readDocument, routesOf } from './fuzz/document.ts'
import { createWorld } from './fuzz/world.ts'
import { startTestService } from './harness.ts'

const service = await startTestService()
const document = await readDocument(service.app)
// The event stream is left out, because its response never ends. The route for reports by readers of the stream is left out
// too.
const documented = routesOf(document).filter(({ url }) => !/\/events(?:\/report)?$/.test(url))
const SEED = 20_261_115
/** After this many rounds the world is created again, before its owner's step-up expires. */
const WORLD_ROUNDS = 2_000

function toTable(seen: ReadonlyMap<string, number>): string {
  return [...seen]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([what, times]) => `${what} ${times}`)
    .join(', ')
}

const countOne = (seen: Map<string, number>, key: string) => seen.set(key, (seen.get(key) ?? 0) + 1)

test('every public route except those of the event stream accepts a valid request', async () => {
  const world = await createWorld(service.app)
  for (const { method, url } of documented) {
    const valid = await world.findValidRequest(method, url)
    assert.ok(valid, `no valid request is known for ${method} ${url}`)
    const response = await world.owner.send(method, valid.url, valid.body)
    assert.ok(response.status < 300, `${method} ${url}: ${response.status} ${response.text}`)
    await world.recordChange(method, url, response)
  }
})

test('public routes respond as the document describes, and refuse requests that the document forbids', async (t) => {
  const rounds = Math.ceil(countRounds('apiFuzz', t) / 2)
  t.diagnostic(`seed ${SEED}`)
  const random = createRandom(SEED)
  const [byStatus, byBreak] = [new Map<string, number>(), new Map<string, number>()]
  let world = await createWorld(service.app)
  for (let round = 0; round < rounds; round += 1) {
    if (round % WORLD_ROUNDS === WORLD_ROUNDS - 1) world = await createWorld(service.app)
    const route = documented[round % documented.length]!
    const { method, url } = route
    const valid = await world.findValidRequest(method, url)
    const broken = breakRequest(valid!, route.operation, random)
    const client = broken.isAnonymous ? new Client(service.app) : world.owner
    const response = await client.send(method, broken.url, broken.body, broken.headers)
    const sent = `${broken.url.slice(0, 300)} ${broken.body?.slice(0, 300) ?? ''}`
    const summary = `${response.status} ${response.text.slice(0, 300)}`
    const caseText = `round ${round}, ${broken.what}: ${method} ${sent} -> ${summary}`
    assert.ok(response.status < 500, caseText)
    assert.equal(findUndescribed(document, route, response), null, caseText)
    if (broken.expected) assert.ok(broken.expected.includes(response.status), caseText)
    await world.recordChange(method, url, response)
    countOne(byStatus, String(response.status))
    countOne(byBreak, broken.what)
  }
  t.diagnostic(`responses by status: ${toTable(byStatus)}`)
  t.diagnostic(`requests by the part that was broken: ${toTable(byBreak)}`)
})

function assertProblem(response: ClientResponse, caseText: string): void {
  const problem = response.json<{ code: ErrorCode; status: number; requestId: string }>()
  assert.equal(ERROR_STATUS[problem.code], response.status, caseText)
  assert.equal(problem.status, response.status, caseText)
  assert.ok(problem.requestId, caseText)
}

test('routes outside the document never return a 5xx status, and every error is an HTML page or valid problem JSON', async (t) => {
  const rounds = Math.ceil(countRounds('apiFuzz', t) / 2)
  const described = new Set(documented.map(({ url }) => url))
  let owner = await signUp(service.app)
  let { id } = await owner.addProject()
  const fuzz = createFuzz(SEED, () => id)
  const routes = service.app
    .knownRoutes()
    .filter(
      (one) => !described.has(one.url.replaceAll(/:([a-zA-Z]+)/g, '{$1}')) && !one.url.endsWith('/events'),
    )
    .flatMap((one) =>
      [...one.methods]
        .filter((method) => method !== 'HEAD')
        .map((method) => ({ method: method as 'GET' | 'POST', url: one.url })),
    )
  const seen = new Map<string, number>()
  for (let round = 0; round < rounds; round += 1) {
    const route = routes[round % routes.length]!
    const request = fuzz.request(route.method, route.url)
    const response = await owner.send(route.method, request.url, request.body, request.headers)
    countOne(seen, String(response.status))
    const caseText = `round ${round}: ${route.method} ${request.url.slice(0, 300)} ${request.body?.slice(0, 300)} -> ${response.status} ${response.text.slice(0, 300)}`
    assert.ok(response.status < 500, caseText)
    // The request may have signed the owner out.
    if (response.status === 204 || response.code === 'unauthenticated') {
      owner = await signUp(service.app)
      id = (await owner.addProject()).id
    }
    if (response.status >= 400 && !String(response.headers['content-type']).startsWith('text/html'))
      assertProblem(response, caseText)
  }
  t.diagnostic(`responses by status: ${toTable(seen)}`)
})
