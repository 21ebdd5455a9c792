import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMailedToken, rows } from '../../test/accounts.ts'
import { Client } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { recordStatements } from '../../test/payments.ts'
import { inviteAccount } from './invite.ts'
import { storedMail } from './mail/mail.ts'
import { renderMail } from './mail/render-mail.ts'

const service = await startTestService({ SIGN_UP: 'closed' })
const SENDER = { baseUrl: 'https://pay.example.me', operatorName: 'Pazar', supportUrl: null }

test('while sign-up is closed, an invited owner sets a password through the mailed link and signs in', async () => {
  const guest = new Client(service.app)
  const email = 'gost@example.com'
  const password = 'sedam zelenih koza'
  assert.equal((await guest.post('/portal/api/sign-up', { email, password })).code, 'sign_up_closed')
  await inviteAccount(service.deps, email, 'cnr')
  const [stored] = await rows<{ facts: object }>(
    service.deps.db,
    'select facts from mails where to_address = $1',
    [email],
  )
  const mail = storedMail.parse({ kind: 'reset_password', ...stored!.facts })
  for (const [locale, subject] of [
    ['cnr', 'Vaš nalog je otvoren'],
    ['en', 'Your account is ready'],
  ] as const)
    assert.equal(renderMail(SENDER, locale, mail, 'token').subject, subject)
  const token = await readMailedToken(service, email, 'reset_password')
  assert.equal((await guest.post('/portal/api/password/reset', { token, password })).status, 204)
  const response = await guest.post('/portal/api/sign-in', { email, password })
  assert.equal(response.status, 200)
  assert.equal(response.json<{ account: { locale: string } }>().account.locale, 'cnr')
})

test('a repeated invitation sends another link for the same account, and setting the password voids both links', async () => {
  const email = 'dva@example.com'
  const password = 'osam zelenih koza'
  const first = await inviteAccount(service.deps, email, 'en')
  const firstToken = await readMailedToken(service, email, 'reset_password')
  const second = await inviteAccount(service.deps, 'DVA@example.com', 'cnr')
  const secondToken = await readMailedToken(service, email, 'reset_password')
  assert.deepEqual([second.id, second.email, second.locale], [first.id, email, 'en'])
  assert.notEqual(secondToken, firstToken)
  const count = async (text: string) =>
    (await rows<{ count: bigint }>(service.deps.db, text, [email]))[0]?.count
  const mails = 'select count(*) from mails where to_address = $1'
  const accounts = 'select count(*) from accounts where email = $1'
  assert.deepEqual([await count(mails), await count(accounts)], [2n, 1n])

  const guest = new Client(service.app)
  assert.equal((await guest.post('/portal/api/password/reset', { token: secondToken, password })).status, 204)
  assert.equal((await guest.post('/portal/api/sign-in', { email, password })).status, 200)
  const reuse = await guest.post('/portal/api/password/reset', {
    token: firstToken,
    password: `${password} 2`,
  })
  assert.equal(reuse.code, 'token_expired')
})

test('an account that could only join projects may own projects after the operator has invited it', async () => {
  const email = 'tri@example.com'
  const { id } = await inviteAccount(service.deps, email, 'en')
  // `invited_at` marks an account that may own no projects while sign-up is closed.
  const mayOnlyJoin = async () =>
    rows(service.deps.db, 'select invited_at is not null as "mayOnlyJoin" from accounts where id = $1', [id])
  await rows(service.deps.db, 'update accounts set invited_at = now() where id = $1', [id])
  assert.deepEqual(await mayOnlyJoin(), [{ mayOnlyJoin: true }])
  await inviteAccount(service.deps, email, 'en')
  assert.deepEqual(await mayOnlyJoin(), [{ mayOnlyJoin: false }])
})

test('two invitations of one address at the same time both succeed', async () => {
  const { deps } = service
  const email = 'twice@example.com'
  let isFirst = true
  const late = recordStatements(deps, async (name, work) => {
    const found = await work()
    // The second invitation creates the account after the first invitation has searched for it.
    if (name === 'accounts.by_email' && isFirst) {
      isFirst = false
      await inviteAccount(deps, email, 'en')
    }
    return found
  })
  assert.equal((await inviteAccount(late.deps, email, 'en')).email, email)
  assert.equal(isFirst, false)
  assert.equal((await rows(deps.db, 'select from accounts where email = $1', [email])).length, 1)
})
