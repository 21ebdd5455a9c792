import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailedToken } from '../../test/accounts.ts'
import { Client } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { inviteAccount } from './invite.ts'

const service = await startTestService({ SIGN_UP: 'closed' })

test('where sign-up is closed an invited owner sets his password by the mailed link and signs in', async () => {
  const guest = new Client(service.app)
  const email = 'gost@example.com'
  const password = 'sedam zelenih koza'
  assert.equal((await guest.post('/portal/api/sign-up', { email, password })).code, 'sign_up_closed')
  await inviteAccount(service.deps, email, 'cnr')
  const token = await mailedToken(service, email, 'reset_password')
  assert.equal((await guest.post('/portal/api/password/reset', { token, password })).status, 204)
  const answer = await guest.post('/portal/api/sign-in', { email, password })
  assert.equal(answer.status, 200)
  assert.equal(answer.json<{ account: { locale: string } }>().account.locale, 'cnr')
})

test('an invitation asked for again sends another link and opens no second account', async () => {
  const first = await inviteAccount(service.deps, 'dva@example.com', 'en')
  const second = await inviteAccount(service.deps, 'DVA@example.com', 'en')
  assert.equal(second.id, first.id)
})
