import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { findMail, readMailedToken, rows } from '../../test/accounts.ts'
import { makeToken, clientWithToken } from '../../test/api-tokens.ts'
import type { Client } from '../../test/client.ts'
import { signUp } from '../../test/client.ts'
import { addApp } from '../../test/factors.ts'
import { startTestService } from '../../test/harness.ts'
import { createCookies } from '../http/cookies.ts'
import { readMasterKeys } from '../lib/master-key.ts'
import { createSealBox } from '../lib/seal.ts'
import { findAccountByEmail, requireRecipient } from './accounts-store.ts'
import { suspendAllApiTokens } from './api-tokens-store.ts'
import { createFactorSecrets } from './factor-secrets.ts'
import { createGuards } from './guards.ts'
import { inviteBucket, receiptBucket } from './lockout.ts'
import { rekeyMails } from './mail/rekey-mails.ts'
import { findKnownByEmail, findKnownById, searchAccounts } from './operator-store.ts'
import { rekeyFactors } from './rekey-factors.ts'
import { findTotp, findUnusedCodes } from './second-factors-store.ts'
import { endAllSessions } from './sessions-store.ts'
import type { CallerToken } from './sessions.ts'

const service = await startTestService()
const { app, deps } = service
const { db } = deps

const accountOf = async ({ email }: Client) => (await findAccountByEmail(db, email))!

test('open accounts are found by a part of the email address; one account is found by its whole email address or its id', async () => {
  const people = [await signUp(app), await signUp(app), await signUp(app)]
  const emails = ['a.needle@example.me', 'b.needle@example.me', 'c.needle@example.me']
  for (const [n, { email }] of people.entries())
    await rows(
      db,
      `update accounts set email = $2, email_key = $2, created_at = now() - make_interval(hours => $3) where email = $1`,
      [email, emails[n], n],
    )
  const search = async (text: string, limit = 10) =>
    (await searchAccounts(db, text, limit)).map(({ account }) => account.email)
  assert.deepEqual(await search('needle'), emails)
  assert.deepEqual(await search('needle', 2), emails.slice(0, 2))
  assert.deepEqual(await search('b.need'), [emails[1]])
  assert.deepEqual(await search('%'), [], 'the searched text is not a pattern')
  const known = (await findKnownByEmail(db, emails[0]!))!
  assert.equal(known.closedAt, null)
  assert.equal((await findKnownById(db, known.account.id))?.account.email, emails[0])
  await rows(db, 'update accounts set closed_at = now() where email = any ($1)', [emails.slice(0, 2)])
  assert.deepEqual(await search('needle'), [emails[2]])
  assert.ok((await findKnownById(db, known.account.id))?.closedAt)
  assert.equal(await findKnownByEmail(db, 'nobody@example.me'), null)
  await assert.rejects(requireRecipient(db, known.account.id), { code: 'not_found' })
})

test('a stream may continue only while its own session or token is valid', async () => {
  const [owner, other] = [await signUp(app), await signUp(app)]
  const tools = { limits: () => async () => undefined, cookies: createCookies(false) }
  const { isStillAllowed } = createGuards(deps, tools)
  const account = await accountOf(owner)
  const [session] = await rows<{ id: string }>(db, 'select id from sessions where account_id = $1', [
    account.id,
  ])
  const caller = { stepUpUntil: null, ip: '', userAgent: '' }
  const withSession = { ...caller, account, sessionId: session!.id, token: null }
  const { id } = await makeToken(owner)
  const token: CallerToken = { id, name: '', scope: 'read', projectId: null, dailyCap: null }
  const withToken = { ...caller, account, sessionId: null, token }
  assert.deepEqual([await isStillAllowed(withSession), await isStillAllowed(withToken)], [true, true])
  const ofOther = { account: await accountOf(other) }
  assert.equal(await isStillAllowed({ ...withSession, ...ofOther }), false)
  assert.equal(await isStillAllowed({ ...withToken, ...ofOther }), false)
  assert.equal(await isStillAllowed({ ...withToken, token: null }), false)
  await rows(db, 'update api_tokens set revoked_at = now() where id = $1', [id])
  assert.deepEqual([await isStillAllowed(withSession), await isStillAllowed(withToken)], [true, false])
  await rows(db, 'delete from sessions where id = $1', [session!.id])
  assert.equal(await isStillAllowed(withSession), false)
})

test('after endAllSessions and suspendAllApiTokens, no session or token is accepted', async () => {
  const people = [await signUp(app), await signUp(app)]
  const tokens = [await makeToken(people[0]!), await makeToken(people[1]!)]
  await db.transaction(async (tx) => {
    await suspendAllApiTokens(tx)
    await endAllSessions(tx)
  })
  for (const owner of people) assert.equal((await owner.get('/portal/api/session')).status, 401)
  for (const { token } of tokens)
    assert.equal((await clientWithToken(app, token).post('/sdk/project/list')).code, 'unauthenticated')
})

const [oldKey] = await readMasterKeys(service.config)

/** The first key is the current one. */
const withKeys = (...keys: readonly [Buffer, ...Buffer[]]) => ({
  db,
  factorSecrets: createFactorSecrets(createSealBox(keys, 'second-factor')),
  mailTokens: createSealBox(keys, 'mail-token'),
})

test('after rekeying, second factors and the links in queued mails work without the old key', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  const { app: authenticatorApp, recoveryCodes } = await addApp(service, owner)
  await owner.post('/portal/api/totp')
  const token = await readMailedToken(service, owner.email, 'confirm_email')
  const newKey = randomBytes(32)
  const withBothKeys = withKeys(newKey, oldKey)
  assert.equal(await rekeyFactors(withBothKeys), 1 + 1 + recoveryCodes.length)
  assert.ok((await rekeyMails(withBothKeys)) >= 1)
  assert.deepEqual([await rekeyFactors(withBothKeys), await rekeyMails(withBothKeys)], [0, 0])
  const { factorSecrets, mailTokens } = withKeys(newKey)
  const mail = (await findMail(service, owner.email, 'confirm_email'))!
  assert.equal(mailTokens.open(mail.sealed_token!, mail.id)?.toString(), token)
  const { id } = await accountOf(owner)
  const totp = await findTotp(db, id)
  assert.notEqual(factorSecrets.findStep(id, totp.sealedSecret!, authenticatorApp.code(), Date.now()), null)
  const [code] = await findUnusedCodes(db, id)
  assert.equal(factorSecrets.isCode(id, code!.sealedHash, recoveryCodes[0]!), true)
  assert.equal(
    deps.factorSecrets.isCode(id, code!.sealedHash, recoveryCodes[0]!),
    false,
    'the old key no longer works',
  )
})

test('rekeying does not change a sealed factor or link whose key is lost', async () => {
  const owner = await signUp(app)
  await owner.stepUp()
  await addApp(service, owner)
  const read = () =>
    rows(
      db,
      `select sealed_secret as sealed from totp_factors union all select sealed_hash from recovery_codes
       union all select sealed_token from mails order by 1`,
    )
  const sealedBefore = await read()
  const withUnknownKey = withKeys(randomBytes(32))
  assert.deepEqual([await rekeyFactors(withUnknownKey), await rekeyMails(withUnknownKey)], [0, 0])
  assert.deepEqual(await read(), sealedBefore)
})

test('rate limits count invitations per project, and receipts per mailbox and per network', () => {
  const buckets = [
    inviteBucket('a'),
    inviteBucket('b'),
    ...['mailbox', 'network'].flatMap((by) =>
      ['a', 'b'].map((key) => receiptBucket(by as 'mailbox' | 'network', key)),
    ),
  ]
  assert.equal(new Set(buckets).size, buckets.length)
  assert.ok(!receiptBucket('mailbox', 'payer@example.me').includes('payer'), 'an address is not stored')
})
