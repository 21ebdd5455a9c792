import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { rollBackAfter } from '../../test/changed-rows.ts'
import { startPeopleWorld } from '../../test/people-world.ts'
import { isLocked } from '../../test/row-locks.ts'
import type { Tx } from '../db/pool.ts'
import { findRecipient, lockAccounts } from './accounts-store.ts'
import { isWorkingApiToken, lockApiToken } from './api-tokens-store.ts'
import { findWhoDid } from './audit-store.ts'
import { findDueFactorResets, useDueFactorReset } from './factor-resets-store.ts'
import { listSealedFactors, SEALED_FACTORS } from './factor-seals-store.ts'
import type { SealedFactor } from './factor-seals-store.ts'
import { endInvitationsOf, listInvitations } from './invitations-store.ts'
import { countMailLinksOfDay } from './mail-links-store.ts'
import { countWaitingMails, queueRestoreMails } from './mail/mails-store.ts'
import { findOwnedPasskey } from './passkeys-store.ts'
import { findFactors } from './second-factors-store.ts'
import { hasActiveSession } from './sessions-store.ts'

const { db, databaseUrl, ana, marko, vera, shop, kiosk, hashOf } = await startPeopleWorld()

function testAndRollBack(title: string, run: (tx: Tx) => Promise<void>): void {
  void test(title, () => rollBackAfter(db, run))
}

async function findId(table: string, column: string, value: string): Promise<string> {
  const text = `select id from ${table} where account_id = $1 and ${column} = $2`
  return (await rows<{ id: string }>(db, text, [ana, value]))[0]!.id
}

testAndRollBack('findRecipient and lockAccounts leave out a closed account', async (tx) => {
  const close = () => rows(tx, 'update accounts set closed_at = now() where id = $1', [ana])
  const ids = async () => (await lockAccounts(tx, [marko, ana])).map(({ id }) => id)
  assert.deepEqual(await ids(), [ana, marko].toSorted())
  const select = 'select from accounts where id = $1'
  assert.deepEqual(
    [await isLocked(databaseUrl, select, [marko]), await isLocked(databaseUrl, select, [vera])],
    [true, false],
  )
  assert.equal((await findRecipient(tx, ana))?.id, ana)
  await close()
  assert.equal(await findRecipient(tx, ana), null)
  assert.deepEqual(await ids(), [marko])
})

const session = await findId('sessions', 'user_agent', 'laptop')
for (const [caseName, change] of [
  ['has expired', `update sessions set expires_at = now() where id = $1`],
  ['is idle for too long', `update sessions set last_seen_at = now() - interval '12 hours' where id = $1`],
  ['was ended', `delete from sessions where id = $1`],
] as const)
  testAndRollBack(`a session that ${caseName} is not active`, async (tx) => {
    assert.deepEqual(
      [await hasActiveSession(tx, ana, session), await hasActiveSession(tx, marko, session)],
      [true, false],
    )
    await rows(tx, change, [session])
    assert.equal(await hasActiveSession(tx, ana, session), false)
  })

const token = await findId('api_tokens', 'name', 'shop')
for (const [caseName, change] of [
  ['was revoked', 'revoked_at = now()'],
  ['was suspended after a restore', 'suspended_at = now()'],
  ['has expired', `created_at = now() - interval '2 days', expires_at = now()`],
] as const)
  testAndRollBack(`a token that ${caseName} does not work`, async (tx) => {
    assert.deepEqual(
      [await isWorkingApiToken(tx, ana, token), await isWorkingApiToken(tx, marko, token)],
      [true, false],
    )
    await rows(tx, `update api_tokens set ${change} where id = $1`, [token])
    assert.equal(await isWorkingApiToken(tx, ana, token), false)
  })

testAndRollBack('lockApiToken locks only the given token', async (tx) => {
  await lockApiToken(tx, token)
  const select = 'select from api_tokens where account_id = $1 and name = $2'
  assert.deepEqual(
    [await isLocked(databaseUrl, select, [ana, 'shop']), await isLocked(databaseUrl, select, [ana, 'kiosk'])],
    [true, false],
  )
})

testAndRollBack(
  'findWhoDid finds only people who did the action in the project since the given time',
  async (tx) => {
    const text = `insert into audit_events (id, account_id, project_id, action, actor, at)
    values (gen_random_uuid(), $1, $2, 'secret_revealed', 'owner', now() - $3::interval)`
    await rows(tx, text, [ana, shop, '1 minute'])
    await rows(tx, text, [marko, shop, '2 hours'])
    await rows(tx, text, [vera, kiosk, '1 minute'])
    const since = new Date(Date.now() - 3_600_000)
    assert.deepEqual([...(await findWhoDid(tx, shop, ['secret_revealed'], since))], [ana])
  },
)

testAndRollBack('mailed links of a day are counted by account and purpose', async (tx) => {
  assert.equal(await countMailLinksOfDay(tx, ana, ['confirm_email', 'change_email']), 2)
  assert.equal(await countMailLinksOfDay(tx, ana, ['confirm_email']), 1)
})

testAndRollBack(
  'used recovery codes and an unconfirmed authenticator app do not count as second factors',
  async (tx) => {
    await rows(tx, 'update recovery_codes set used_at = now() where account_id = $1 and number = 1', [ana])
    const { totpSince, ...counts } = await findFactors(tx, ana)
    assert.deepEqual([totpSince instanceof Date, counts], [true, { passkeys: 2, recoveryCodesLeft: 1 }])
    await rows(
      tx,
      'update totp_factors set sealed_secret = null, confirmed_at = null where account_id = $1',
      [ana],
    )
    assert.equal((await findFactors(tx, ana)).totpSince, null)
    assert.deepEqual(await findFactors(tx, vera), { totpSince: null, passkeys: 0, recoveryCodesLeft: 0 })
  },
)

testAndRollBack('a requested reset of second factors is not due before its time', async (tx) => {
  await rows(tx, `update factor_resets set due_at = now() + interval '1 second' where account_id = $1`, [ana])
  assert.deepEqual(await findDueFactorResets(tx), [marko])
  assert.deepEqual([await useDueFactorReset(tx, ana), await useDueFactorReset(tx, marko)], [false, true])
})

testAndRollBack('a browser is not known to an account if only another account uses it', async (tx) => {
  await rows(tx, 'insert into devices (account_id, token_hash) values ($1, $2)', [marko, hashOf('tablet')])
  const [passkey] = await rows<{ id: Buffer }>(
    tx,
    `select credential_id as id from passkeys where account_id = $1 and name = 'Key'`,
    [ana],
  )
  const isKnown = async (device: string) =>
    (await findOwnedPasskey(tx, passkey!.id, hashOf(device)))?.deviceKnown
  assert.deepEqual([await isKnown('tablet'), await isKnown('phone')], [false, true])
})

testAndRollBack('all sealed factors are listed, even in batches of one', async (tx) => {
  const counts: number[] = []
  for (const kind of SEALED_FACTORS) {
    const seen = new Set<string>()
    let after: SealedFactor | null = null
    for (let n = 0; n < 9; n += 1) {
      const [next]: SealedFactor[] = await listSealedFactors(tx, kind, after, 1)
      if (!next) break
      seen.add(`${next.accountId} ${next.number}`)
      after = next
    }
    counts.push(seen.size)
  }
  // Ana and Marko each have one authenticator app, one new app that is not confirmed yet, and two recovery codes.
  assert.deepEqual(counts, [2, 2, 4])
})

testAndRollBack('a mail counts as waiting until it is sent or given up', async (tx) => {
  // Ana and Marko have two mails each.
  const waiting = await countWaitingMails(tx)
  const set = 'update mails set sent_at = $2, gave_up_at = $3 where account_id = $1'
  await rows(tx, set, [ana, new Date(), null])
  assert.equal(await countWaitingMails(tx), waiting - 2)
  await rows(tx, set, [marko, null, new Date()])
  assert.equal(await countWaitingMails(tx), waiting - 4)
})

testAndRollBack(
  'after a restore, every account with a confirmed address gets a mail, except closed accounts',
  async (tx) => {
    await rows(tx, 'update accounts set email_confirmed_at = now() where id <> $1', [vera])
    await rows(tx, 'update accounts set closed_at = now() where id = $1', [marko])
    await rows(tx, `update accounts set locale = 'cnr', time_zone = 'Asia/Tokyo' where id = $1`, [ana])
    await queueRestoreMails(tx, new Date(0))
    const text = `select account_id, locale, facts, to_address = (select email from accounts where id = account_id) as own
    from mails where kind = 'restored'`
    assert.deepEqual(await rows(tx, text), [
      {
        account_id: ana,
        locale: 'cnr',
        facts: { at: '1970-01-01T00:00:00.000Z', timeZone: 'Asia/Tokyo' },
        own: true,
      },
    ])
  },
)

testAndRollBack(
  'an expired invitation is not listed, and endInvitationsOf does not count it as open',
  async (tx) => {
    await rows(
      tx,
      `update project_invitations set expires_at = now() where project_id = $1 and email = 'guest'`,
      [shop],
    )
    assert.deepEqual(
      (await listInvitations(tx, shop)).map(({ email }) => email),
      ['friend'],
    )
    assert.deepEqual(
      [await endInvitationsOf(tx, shop, 'guest'), await endInvitationsOf(tx, shop, 'friend')],
      [false, true],
    )
    assert.deepEqual(await listInvitations(tx, shop), [])
    assert.equal((await listInvitations(tx, kiosk)).length, 2)
  },
)
