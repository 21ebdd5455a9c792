// Requests every route of a project as every identity. The outcome must be the one that route-permissions.ts implies.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MEMBER_ROLES, roleMay, ROLES } from '@pazar/contract'
import type { Role, TokenScope } from '@pazar/contract'
import { rows } from './accounts.ts'
import { makeToken, clientWithToken } from './api-tokens.ts'
import { Client, signUp } from './client.ts'
import { listenLocally } from './event-reader.ts'
import { addApp } from './factors.ts'
import { startTestService } from './harness.ts'
import { payAndSendTestCallback } from './pay-and-send-callback.ts'
import {
  ACCOUNT_ROUTES,
  isListed,
  LEAVE_ROUTE,
  PUBLIC_ROUTES,
  STREAM_ROUTE,
  toProjectRoutes,
} from './route-permissions.ts'
import type { ProjectRoute } from './route-permissions.ts'

const service = await startTestService()
const { app, deps } = service
const origin = await listenLocally(app)

const owner = await signUp(app)
const { id: projectId } = await owner.addProject()
const { id: otherId } = await owner.addProject()
const { transactionId, callbackId } = await payAndSendTestCallback(owner, projectId)
const { email: member } = await join('support')
const ids = { projectId, transactionId, callbackId, member }
const table = toProjectRoutes(ids)

type Outcome = 'unauthenticated' | 'not_found' | 'forbidden_role' | 'step_up_required' | 'allowed'
const REFUSALS: readonly string[] = ['unauthenticated', 'not_found', 'forbidden_role', 'step_up_required']

interface Identity {
  client: Client
  role: Role | null
  scope: TokenScope | null
  hasStepUp: boolean
  isSignedIn: boolean
  isOfOtherProject: boolean
}

const BROWSER = { scope: null, hasStepUp: false, isSignedIn: true, isOfOtherProject: false } as const

async function join(role: Role): Promise<Client> {
  if (role === 'owner') return owner
  const member = await signUp(app)
  await addMember(member, role)
  return member
}

async function addMember({ email }: Client, role: Role): Promise<void> {
  await rows(
    deps.db,
    `insert into project_members (project_id, account_id, role, mails) select $1, id, $2, '{}' from accounts where email = $3`,
    [projectId, role, email],
  )
}

async function listIdentities(): Promise<Map<string, Identity>> {
  const all = new Map<string, Identity>()
  const nobody = { ...BROWSER, client: new Client(app), role: null, isSignedIn: false }
  all.set('without a session', nobody)
  const withSecondFactor = await join('admin')
  await withSecondFactor.stepUp()
  await addApp(service, withSecondFactor)
  const pending = new Client(app)
  const { email, password } = withSecondFactor
  const response = await pending.post('/portal/api/sign-in', { email, password })
  assert.ok(response.json()['secondFactor'], 'the sign-in waits for the second factor')
  all.set('second factor pending', { ...nobody, client: pending })
  const stranger = await signUp(app)
  await stranger.stepUp()
  all.set('stranger with step-up', { ...BROWSER, client: stranger, role: null, hasStepUp: true })
  const strangerToken = await makeToken(stranger, { scope: 'write' })
  const apiClient = { ...BROWSER, role: null, scope: 'write' as const }
  all.set('token of a stranger', { ...apiClient, client: clientWithToken(app, strangerToken.token) })
  for (const role of ROLES) {
    const person = await join(role)
    const withoutStepUp = new Client(app)
    withoutStepUp.email = person.email
    await withoutStepUp.post('/portal/api/sign-in', { email: person.email, password: person.password })
    all.set(role, { ...BROWSER, client: withoutStepUp, role })
    for (const scope of ['read', 'write'] as const) {
      const madeToken = await makeToken(person, { scope })
      const client = clientWithToken(app, madeToken.token)
      all.set(`${scope} token of ${role}`, { ...BROWSER, client, role, scope })
    }
    if (roleMay(role, 'money')) {
      const madeToken = await makeToken(person, { scope: 'refund', projectId, dailyCap: '100000' })
      const client = clientWithToken(app, madeToken.token)
      const refunder = { ...BROWSER, client, role, scope: 'refund' as const }
      all.set(`refund token of ${role}`, refunder)
    }
    await person.stepUp()
    all.set(`${role} with step-up`, { ...BROWSER, client: person, role, hasStepUp: true })
  }
  const otherToken = await makeToken(owner, { scope: 'write', projectId: otherId })
  const otherApiClient = clientWithToken(app, otherToken.token)
  const limited = { ...BROWSER, client: otherApiClient, role: 'owner', scope: 'write' } as const
  all.set('token limited to another project', { ...limited, isOfOtherProject: true })
  const ownToken = await makeToken(owner, { scope: 'write', projectId })
  all.set('token limited to this project', { ...limited, client: clientWithToken(app, ownToken.token) })
  await owner.stepUp()
  return all
}

/** The checks are made in this order: session, scope, membership, role, step-up. */
function toExpected(route: ProjectRoute, { role, scope, ...identity }: Identity): Outcome {
  if (!identity.isSignedIn) return 'unauthenticated'
  if (scope !== null) {
    if (route.token === undefined) return 'unauthenticated'
    if (route.token !== 'read' && route.token !== scope) return 'step_up_required'
    if (identity.isOfOtherProject) return 'not_found'
  }
  if (role === null) return 'not_found'
  if (!roleMay(role, route.permission)) return 'forbidden_role'
  const needsStepUp = route.stepUp === 'always' || (route.stepUp === 'session' && scope === null)
  return needsStepUp && !identity.hasStepUp ? 'step_up_required' : 'allowed'
}

async function requestOutcome(
  client: Client,
  name: string,
  { body, query = '', contentType = 'application/json' }: ProjectRoute,
): Promise<Outcome> {
  const [method = '', pattern = ''] = name.split(' ')
  const url =
    pattern
      .replace(':callbackId', callbackId)
      .replace(':transactionId', transactionId)
      .replace(':id', projectId) + query
  if (name === STREAM_ROUTE) return openStream(client, url)
  const response = await client.send(method as 'GET' | 'POST', url, body, {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': contentType }),
  })
  assert.ok(response.status < 500, `${name}: ${response.text}`)
  // All other errors come after the permission checks, so the request was allowed.
  if (REFUSALS.includes(response.code)) return response.code as Outcome
  return 'allowed'
}

/** Uses real HTTP, because the response of an open stream does not end. */
async function openStream({ jar, headers }: Client, url: string): Promise<Outcome> {
  const closing = new AbortController()
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(origin + url, { headers: { cookie, ...headers }, signal: closing.signal })
  if (response.status === 200) {
    closing.abort()
    return 'allowed'
  }
  const { code } = (await response.json()) as { code: string }
  assert.ok(REFUSALS.includes(code), code)
  return code as Outcome
}

const all = app
  .knownRoutes()
  .flatMap(({ url, methods }) =>
    [...methods].filter((method) => method !== 'HEAD').map((method) => ({ name: `${method} ${url}`, url })),
  )

test('every route has an entry with a permission, or is listed as a route without a project', () => {
  const missing = all.filter(
    ({ name, url }) =>
      !(name in table) &&
      !isListed(ACCOUNT_ROUTES, url) &&
      (!isListed(PUBLIC_ROUTES, url) || url.includes('/projects/:id')),
  )
  assert.deepEqual(
    missing.map(({ name }) => name),
    [],
    'add them to server/test/route-permissions.ts',
  )
  const names = new Set(all.map(({ name }) => name))
  assert.deepEqual(
    Object.keys(table).filter((name) => !names.has(name)),
    [],
  )
})

test('each identity can use exactly the routes that its role, scope and step-up allow', async () => {
  const differences: string[] = []
  const identities = await listIdentities()
  const check = async (who: string, identity: Identity, name: string) => {
    const route = table[name]!
    const [expected, actual] = [
      toExpected(route, identity),
      await requestOutcome(identity.client, name, route),
    ]
    if (actual !== expected) differences.push(`${who}, ${name}: ${actual} instead of ${expected}`)
    return actual
  }
  for (const [who, identity] of identities)
    for (const name of Object.keys(table).filter((one) => one !== LEAVE_ROUTE)) {
      const actual = await check(who, identity, name)
      if (name.endsWith('/archive') && actual === 'allowed')
        await owner.post(`/portal/api/projects/${projectId}/restore`)
    }
  for (const [who, identity] of identities) {
    const actual = await check(who, identity, LEAVE_ROUTE)
    const { client, role } = identity
    // The person becomes a member again, because the same person with a step-up is checked later.
    if (actual === 'allowed' && role !== null && role !== 'owner') await addMember(client, role)
  }
  assert.deepEqual(differences, [])
})

test('routes of the account are refused without a session', async () => {
  const visitor = new Client(app)
  for (const { name, url } of all.filter((one) => isListed(ACCOUNT_ROUTES, one.url))) {
    const method = name.startsWith('GET') ? 'GET' : 'POST'
    const response = await visitor.send(method, url, method === 'POST' ? {} : undefined)
    assert.equal(response.code, 'unauthenticated', name)
  }
})

test('a member who changes live settings needs the role of an admin and a step-up', async () => {
  const change = { projectId, apiUrl: 'https://shop.example.com/pazar/callback' }
  for (const role of MEMBER_ROLES) {
    const member = await join(role)
    const expected = role === 'admin' ? 'step_up_required' : 'forbidden_role'
    assert.equal((await member.post('/sdk/project/update', change)).code, expected, role)
    await member.stepUp()
    const response = await member.post('/sdk/project/update', change)
    assert.equal(response.code, role === 'admin' ? '' : 'forbidden_role', role)
  }
})

test('a request by a member runs as many SQL statements as the same request by the owner', async () => {
  const member = await join('support')
  const count = async (client: Client) => {
    const before = deps.db.statementCount()
    assert.equal((await client.post('/sdk/project/get', { projectId })).status, 200)
    return deps.db.statementCount() - before
  }
  assert.equal(await count(member), await count(owner))
  assert.equal(
    await count(owner),
    2,
    'one statement reads the session, the other reads the project and the role',
  )
})
