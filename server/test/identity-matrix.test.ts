// Every route that names a project, as every identity: exactly what the table of roles says. A route without an entry fails.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MEMBER_ROLES, roleMay, ROLES } from '@pazar/contract'
import type { Role, TokenScope } from '@pazar/contract'
import { rows } from './accounts.ts'
import { makeToken, programWith } from './api-tokens.ts'
import { Client, signUp } from './client.ts'
import { listenLocally } from './event-reader.ts'
import { addApp } from './factors.ts'
import { startTestService } from './harness.ts'
import { payDirectly } from './member-world.ts'
import {
  ACCOUNT_ROUTES,
  isListed,
  LEAVE,
  PUBLIC_ROUTES,
  STREAM,
  toProjectRoutes,
} from './route-permissions.ts'
import type { ProjectRoute } from './route-permissions.ts'

const service = await startTestService()
const { app, deps } = service
const origin = await listenLocally(app)

const owner = await signUp(app)
const { id: projectId } = await owner.addProject()
const { id: otherId } = await owner.addProject()
const { transactionId, callbackId } = await payDirectly(owner, projectId)
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
  const guarded = await join('admin')
  await guarded.stepUp()
  await addApp(service, guarded)
  const pending = new Client(app)
  const { email, password } = guarded
  const answer = await pending.post('/portal/api/sign-in', { email, password })
  assert.ok(answer.json()['secondFactor'], 'the second factor is still to be given')
  all.set('second factor pending', { ...nobody, client: pending })
  const stranger = await signUp(app)
  await stranger.stepUp()
  all.set('stranger with step-up', { ...BROWSER, client: stranger, role: null, hasStepUp: true })
  const strange = await makeToken(stranger, { scope: 'write' })
  const program = { ...BROWSER, role: null, scope: 'write' as const }
  all.set('token of a stranger', { ...program, client: programWith(app, strange.token) })
  for (const role of ROLES) {
    const person = await join(role)
    const plain = new Client(app)
    plain.email = person.email
    await plain.post('/portal/api/sign-in', { email: person.email, password: person.password })
    all.set(role, { ...BROWSER, client: plain, role })
    for (const scope of ['read', 'write'] as const) {
      const made = await makeToken(person, { scope })
      all.set(`${scope} token of ${role}`, { ...BROWSER, client: programWith(app, made.token), role, scope })
    }
    if (roleMay(role, 'money')) {
      const made = await makeToken(person, { scope: 'refund', projectId, dailyCap: '100000' })
      const refunder = { ...BROWSER, client: programWith(app, made.token), role, scope: 'refund' as const }
      all.set(`refund token of ${role}`, refunder)
    }
    // Last, because making a token renews the session.
    await person.stepUp()
    all.set(`${role} with step-up`, { ...BROWSER, client: person, role, hasStepUp: true })
  }
  const bound = await makeToken(owner, { scope: 'write', projectId: otherId })
  const elsewhere = programWith(app, bound.token)
  const limited = { ...BROWSER, client: elsewhere, role: 'owner', scope: 'write' } as const
  all.set('token limited to another project', { ...limited, isOfOtherProject: true })
  const own = await makeToken(owner, { scope: 'write', projectId })
  all.set('token limited to this project', { ...limited, client: programWith(app, own.token) })
  await owner.stepUp()
  return all
}

/** The outcome follows the order of the checks: session, scope, membership, role, step-up. */
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
  if (name === STREAM) return openStream(client, url)
  const answer = await client.send(method as 'GET' | 'POST', url, body, {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': contentType }),
  })
  assert.ok(answer.status < 500, `${name}: ${answer.text}`)
  // The caller is signed out, or has a token that this route does not accept.
  if (REFUSALS.includes(answer.code)) return answer.code as Outcome
  return 'allowed'
}

/** Over real HTTP, because the response of a stream that was opened does not end. */
async function openStream({ jar, headers }: Client, url: string): Promise<Outcome> {
  const closing = new AbortController()
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const answer = await fetch(origin + url, { headers: { cookie, ...headers }, signal: closing.signal })
  if (answer.status === 200) {
    closing.abort()
    return 'allowed'
  }
  const { code } = (await answer.json()) as { code: string }
  assert.ok(REFUSALS.includes(code), code)
  return code as Outcome
}

const all = app.knownRoutes().flatMap(({ url, methods }) =>
  // A HEAD is the GET without its body.
  [...methods].filter((method) => method !== 'HEAD').map((method) => ({ name: `${method} ${url}`, url })),
)

test('every route has an entry: a permission, or that it concerns no project', () => {
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
  const wrong: string[] = []
  const identities = await listIdentities()
  const ask = async (who: string, identity: Identity, name: string) => {
    const route = table[name]!
    const [expected, got] = [toExpected(route, identity), await requestOutcome(identity.client, name, route)]
    if (got !== expected) wrong.push(`${who}, ${name}: ${got} instead of ${expected}`)
    return got
  }
  for (const [who, identity] of identities)
    for (const name of Object.keys(table).filter((one) => one !== LEAVE)) {
      const got = await ask(who, identity, name)
      // The next requests need the project again.
      if (name.endsWith('/archive') && got === 'allowed')
        await owner.post(`/portal/api/projects/${projectId}/restore`)
    }
  for (const [who, identity] of identities) {
    const got = await ask(who, identity, LEAVE)
    const { client, role } = identity
    // The same person comes again with a step-up.
    if (got === 'allowed' && role !== null && role !== 'owner') await addMember(client, role)
  }
  assert.deepEqual(wrong, [])
})

test('a route of the account is closed without a session and open to any token holder only as the contract says', async () => {
  const visitor = new Client(app)
  for (const { name, url } of all.filter((one) => isListed(ACCOUNT_ROUTES, one.url))) {
    const method = name.startsWith('GET') ? 'GET' : 'POST'
    const answer = await visitor.send(method, url, method === 'POST' ? {} : undefined)
    assert.equal(answer.code, 'unauthenticated', name)
  }
})

test('live settings need a role that may change them, and a step-up; for the owner’s URLs the specification asks none', async () => {
  const change = { projectId, apiUrl: 'https://shop.example.com/pazar/callback' }
  for (const role of MEMBER_ROLES) {
    const member = await join(role)
    const expected = role === 'admin' ? 'step_up_required' : 'forbidden_role'
    assert.equal((await member.post('/sdk/project/update', change)).code, expected, role)
    await member.stepUp()
    const answer = await member.post('/sdk/project/update', change)
    assert.equal(answer.code, role === 'admin' ? '' : 'forbidden_role', role)
  }
})

test('a member costs no more statements than the owner', async () => {
  const member = await join('support')
  const count = async (client: Client) => {
    const before = deps.db.statementCount()
    assert.equal((await client.post('/sdk/project/get', { projectId })).status, 200)
    return deps.db.statementCount() - before
  }
  assert.equal(await count(member), await count(owner))
  assert.equal(await count(owner), 2, 'the session, and the project with the role')
})
