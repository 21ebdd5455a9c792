import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyClient, readMailedToken, rows } from '../../test/accounts.ts'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { recordStatements } from '../../test/payments.ts'
import { createApp } from '../app.ts'

const service = await startTestService()
const { app, deps } = service

/** Requests to paths below /portal/api. The test deletes the account just before the named statement runs. */
const REQUESTS: [path: string, body: object, statementName: string][] = [
  ['account', { theme: 'dark' }, 'accounts.set_settings'],
  ['devices/forget', {}, 'devices.remove_others'],
  ['email', { email: 'new@example.com' }, 'accounts.lock'],
  ['passkeys/options', {}, 'passkeys.insert_challenge'],
  ['sessions/revoke', {}, 'sessions.remove_except'],
  ['sign-out', {}, 'sessions.remove_one'],
  ['step-up', { password: 'any password' }, 'accounts.credentials'],
  ['totp', {}, 'factors.offer_totp'],
]

async function deleteDuring(client: Client, email: string, [path, body, name]: (typeof REQUESTS)[number]) {
  const watched = recordStatements(deps, async (statementName, run) => {
    if (statementName === name) await rows(deps.db, 'delete from accounts where email = $1', [email])
    return run()
  })
  const replica = await createApp(watched.deps)
  const response = await copyClient(client, replica).post(`/portal/api/${path}`, body)
  await replica.close()
  return response
}

for (const request of REQUESTS)
  test(`a request to /portal/api/${request[0]} is refused with unauthenticated if the account is deleted meanwhile`, async () => {
    const owner = await signUp(app)
    await owner.stepUp()
    const response = await deleteDuring(owner, owner.email, request)
    assert.deepEqual([response.status, response.code], [401, 'unauthenticated'])
  })

test('a reset link is refused with token_expired if the account is deleted meanwhile', async () => {
  const owner = await signUp(app)
  await owner.post('/portal/api/password/forgot', { email: owner.email })
  const token = await readMailedToken(service, owner.email, 'reset_password')
  const body = { token, password: 'sedam plavih brodova kod mora' }
  const response = await deleteDuring(new Client(app), owner.email, [
    'password/reset',
    body,
    'accounts.credentials',
  ])
  assert.equal(response.code, 'token_expired')
})
