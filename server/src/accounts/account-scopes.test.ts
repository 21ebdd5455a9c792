// Runs each SQL statement that changes the data of a person, and checks which rows it changes.
// Why this is long: one case per statement.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { findChangedRows } from '../../test/changed-rows.ts'
import { startPeopleWorld } from '../../test/people-world.ts'
import type { Tx } from '../db/pool.ts'
import * as accounts from './accounts-store.ts'
import * as tokens from './api-tokens-store.ts'
import { erasePerson, releaseAudit } from './closing-store.ts'
import { deleteDevices, deleteOtherDevices, upsertDevice } from './devices-store.ts'
import * as resets from './factor-resets-store.ts'
import { resealFactor } from './factor-seals-store.ts'
import * as invitations from './invitations-store.ts'
import { useMailLink, voidMailLinks } from './mail-links-store.ts'
import * as mails from './mail/mails-store.ts'
import * as passkeys from './passkeys-store.ts'
import { usePendingSignIn } from './pending-sign-ins-store.ts'
import * as factors from './second-factors-store.ts'
import * as sessions from './sessions-store.ts'

const world = await startPeopleWorld()
const { db, names, ana, marko, vera, shop, hashOf } = world

async function findId(table: string, label: string, account = ana, column = 'name'): Promise<string> {
  const text = `select id from ${table} where account_id = $1 and ${column} = $2`
  const [row] = await rows<{ id: string }>(db, text, [account, label])
  return row!.id
}

const laptop = await findId('sessions', 'laptop', ana, 'user_agent')
const othersLaptop = await findId('sessions', 'laptop', marko, 'user_agent')
const shopToken = await findId('api_tokens', 'shop')
const passkey = await findId('passkeys', 'Laptop')
const [emailOfAna, emailOfMarko] = [world.emailOf(0), world.emailOf(1)]
const claimedMail = {
  id: await findId('mails', 'new_device', ana, 'kind'),
  kind: 'new_device',
  to: 'x',
  locale: 'en',
  facts: {},
  sealedToken: null,
  attempt: 1,
} as const

type Case = [what: string, run: (tx: Tx) => Promise<unknown>, changed: readonly string[]]

const SESSIONS = ['sessions ana laptop', 'sessions ana phone']
const FACTORS = ['passkeys ana Key', 'passkeys ana Laptop', 'recovery_codes ana 1', 'recovery_codes ana 2']
const AUDIT = ['any', 'kiosk', 'shop', 'stall'].flatMap((project) =>
  ['project_updated', 'token_made'].map((action) =>
    `audit_events ana ${action} ${project}`.replace('any', 'null'),
  ),
)

const CASES: readonly Case[] = [
  [
    'password changed',
    (tx) => accounts.changePasswordHash(tx, ana, { passwordHash: 'x', fromVersion: 1 }),
    ['accounts ana'],
  ],
  [
    'password changed although its version is outdated',
    (tx) => accounts.changePasswordHash(tx, ana, { passwordHash: 'x', fromVersion: 2 }),
    [],
  ],
  [
    'settings changed',
    (tx) => accounts.updateSettings(tx, ana, { locale: 'cnr', timeZone: null, theme: null }),
    ['accounts ana'],
  ],
  ['account marked as invited', (tx) => accounts.markInvited(tx, ana, true), ['accounts ana']],
  ['address confirmed', (tx) => accounts.markEmailConfirmed(tx, ana, emailOfAna), ['accounts ana']],
  [
    'address confirmed although the account no longer has it',
    (tx) => accounts.markEmailConfirmed(tx, ana, emailOfMarko),
    [],
  ],
  [
    'address changed',
    (tx) => accounts.changeEmailAddress(tx, ana, { email: 'new', key: 'new' }),
    ['accounts ana'],
  ],
  ['identity verified', (tx) => accounts.markKycVerified(tx, emailOfAna), ['accounts ana']],
  [
    'password required with all existing passkeys',
    (tx) => passkeys.requirePasswordWithPasskeys(tx, ana),
    ['accounts ana', 'passkeys ana Key'],
  ],

  ['session seen', (tx) => sessions.touchSession(tx, laptop), ['sessions ana laptop']],
  ['session ended', (tx) => sessions.deleteSession(tx, ana, laptop), ['sessions ana laptop']],
  ['session of somebody else ended', (tx) => sessions.deleteSession(tx, ana, othersLaptop), []],
  [
    'session ended by its token',
    (tx) => sessions.deleteSessionByToken(tx, hashOf('laptop', ana)),
    ['sessions ana laptop'],
  ],
  ['all sessions ended', (tx) => sessions.deleteSessions(tx, ana, { except: null }), SESSIONS],
  [
    'other sessions ended',
    (tx) => sessions.deleteSessions(tx, ana, { except: laptop }),
    ['sessions ana phone'],
  ],
  ['all step-ups ended', (tx) => sessions.endStepUps(tx, ana, { except: null }), SESSIONS],
  ['other step-ups ended', (tx) => sessions.endStepUps(tx, ana, { except: laptop }), ['sessions ana phone']],

  ['token used', (tx) => tokens.useApiToken(tx, hashOf('shop', ana)), ['api_tokens ana shop']],
  ['token revoked', (tx) => tokens.revokeApiToken(tx, ana, shopToken), ['api_tokens ana shop']],
  ['token of somebody else revoked', (tx) => tokens.revokeApiToken(tx, marko, shopToken), []],
  [
    'tokens of a project revoked',
    (tx) => tokens.revokeTokensOfProject(tx, ana, shop),
    ['api_tokens ana shop'],
  ],
  [
    'all tokens revoked',
    (tx) => tokens.revokeApiTokens(tx, ana),
    ['any', 'kiosk', 'shop', 'stall'].map((name) => `api_tokens ana ${name}`),
  ],
  [
    'tokens revoked after a transfer',
    (tx) => tokens.revokeTokensForTransfer(tx, shop, ana),
    ['api_tokens ana any', 'api_tokens ana shop', 'api_tokens marko shop'],
  ],

  ['device seen', (tx) => upsertDevice(tx, ana, hashOf('laptop')), ['devices ana laptop']],
  ['other devices forgotten', (tx) => deleteOtherDevices(tx, ana, hashOf('laptop')), ['devices ana phone']],
  ['all devices forgotten', (tx) => deleteDevices(tx, ana), ['devices ana laptop', 'devices ana phone']],

  [
    'link used',
    (tx) => useMailLink(tx, hashOf('reset_password', ana), ['reset_password']),
    ['mail_tokens ana reset_password'],
  ],
  [
    'link used for another purpose',
    (tx) => useMailLink(tx, hashOf('reset_password', ana), ['confirm_email']),
    [],
  ],
  ['links voided', (tx) => voidMailLinks(tx, ana, ['change_email']), ['mail_tokens ana change_email']],

  ['code of the authenticator app used', (tx) => factors.useTotpStep(tx, ana, 9), ['totp_factors ana']],
  [
    'new authenticator app offered',
    (tx) => factors.offerTotp(tx, ana, Buffer.from('another')),
    ['totp_factors ana'],
  ],
  [
    'authenticator app confirmed',
    (tx) => factors.confirmTotp(tx, ana, { sealed: Buffer.from('new secret'), step: 9 }),
    ['totp_factors ana'],
  ],
  [
    'authenticator app confirmed although it is no longer offered',
    (tx) => factors.confirmTotp(tx, ana, { sealed: Buffer.from('another'), step: 9 }),
    [],
  ],
  ['authenticator app removed', (tx) => factors.deleteTotp(tx, ana), ['totp_factors ana']],
  [
    'recovery code used',
    (tx) => factors.useRecoveryCode(tx, ana, { number: 1, sealedHash: Buffer.from('code') }),
    ['accounts ana', 'recovery_codes ana 1'],
  ],
  [
    'recovery code used after it was replaced',
    (tx) => factors.useRecoveryCode(tx, ana, { number: 1, sealedHash: Buffer.from('another') }),
    [],
  ],
  ['recovery codes replaced', (tx) => factors.replaceRecoveryCodes(tx, ana, []), FACTORS.slice(2)],
  ['passkey used', (tx) => passkeys.usePasskey(tx, passkey, 1), ['passkeys ana Laptop']],
  [
    'passkey allowed without the password',
    (tx) => passkeys.markPasswordGiven(tx, ana, passkey),
    ['passkeys ana Laptop'],
  ],
  [
    'passkey of somebody else allowed without the password',
    (tx) => passkeys.markPasswordGiven(tx, marko, passkey),
    [],
  ],
  ['passkey removed', (tx) => passkeys.deletePasskey(tx, ana, passkey), ['passkeys ana Laptop']],
  ['passkey of somebody else removed', (tx) => passkeys.deletePasskey(tx, marko, passkey), []],
  ['reset of second factors cancelled', (tx) => resets.deleteFactorReset(tx, ana), ['factor_resets ana']],
  ['due reset of second factors used', (tx) => resets.useDueFactorReset(tx, ana), ['factor_resets ana']],
  [
    'all second factors removed',
    (tx) => resets.deleteAllFactors(tx, ana),
    ['accounts ana', ...FACTORS, 'totp_factors ana'],
  ],
  ['pending sign-in used', (tx) => usePendingSignIn(tx, hashOf(ana)), ['pending_sign_ins ana']],
  ...(['totp', 'new_totp'] as const).map((kind): Case => {
    const sealed = Buffer.from(kind === 'totp' ? 'secret' : 'new secret')
    const reseal = (tx: Tx) =>
      resealFactor(tx, kind, { accountId: ana, number: 0, sealed }, Buffer.from('again'))
    return [`${kind} sealed again`, reseal, ['totp_factors ana']]
  }),
  [
    'factor sealed again although it changed since it was read',
    (tx) =>
      resealFactor(
        tx,
        'totp',
        { accountId: ana, number: 0, sealed: Buffer.from('old') },
        Buffer.from('again'),
      ),
    [],
  ],
  [
    'recovery code sealed again',
    (tx) =>
      resealFactor(
        tx,
        'recovery',
        { accountId: ana, number: 2, sealed: Buffer.from('code') },
        Buffer.from('x'),
      ),
    ['recovery_codes ana 2'],
  ],

  [
    'mail sealed again',
    (tx) => mails.resealMail(tx, claimedMail.id, Buffer.from('again')),
    ['mails ana new_device'],
  ],
  ['mail sent', (tx) => mails.recordSent({ ...db, ...tx }, claimedMail), ['mails ana new_device']],
  [
    'mail failed',
    (tx) => mails.recordFailure({ ...db, ...tx }, claimedMail, { error: 'x', retryInSec: null }),
    ['mails ana new_device'],
  ],

  [
    'invitation used',
    (tx) => invitations.useInvitation(tx, hashOf('guest', shop)),
    ['project_invitations shop guest'],
  ],
  [
    'invitations of an address ended',
    (tx) => invitations.endInvitationsOf(tx, shop, 'friend'),
    ['project_invitations shop friend'],
  ],
  [
    'invitations by a person ended',
    (tx) => invitations.endInvitationsBy(tx, shop, vera),
    ['project_invitations shop friend'],
  ],
  [
    'invitations to the projects of a closed account, and invitations by this account, ended',
    (tx) => invitations.endInvitationsOfClosed(tx, vera, [shop]),
    ['kiosk friend', 'shop friend', 'shop guest', 'stall friend'].map((one) => `project_invitations ${one}`),
  ],

  [
    'account with projects closed',
    (tx) => erasePerson(tx, ana, { passwordHash: 'x', projectIds: [shop] }),
    [
      'accounts ana',
      ...['any', 'kiosk', 'shop', 'stall'].map((name) => `api_tokens ana ${name}`),
      ...AUDIT,
      'devices ana laptop',
      'devices ana phone',
      'factor_resets ana',
      ...['change_email', 'confirm_email', 'reset_password'].map((purpose) => `mail_tokens ana ${purpose}`),
      'mails ana new_device',
      'mails ana reset_password',
      ...FACTORS,
      'pending_sign_ins ana',
      ...SESSIONS,
      'totp_factors ana',
    ],
  ],
  [
    'audit entries of a closed account made anonymous',
    (tx) => releaseAudit(tx, ana, 'ana'),
    // All entries of tokens lose the token's name. Entries in Marko's project (kiosk) also lose their account.
    [
      'audit_events ana project_updated kiosk',
      ...['kiosk', 'null', 'shop', 'stall'].map((project) => `audit_events ana token_made ${project}`),
      'audit_events null project_updated kiosk',
      'audit_events null token_made kiosk',
    ],
  ],
]

for (const [caseName, run, changed] of CASES)
  test(`${caseName}: only the expected rows change`, async () => {
    assert.deepEqual(await findChangedRows(db, names, run), changed.toSorted())
  })

test('a recovery code, a pending sign-in and a link work once', () =>
  db.transaction(async (tx) => {
    const code = { number: 1, sealedHash: Buffer.from('code') }
    for (const expected of [true, false]) {
      assert.equal(await factors.useRecoveryCode(tx, marko, code), expected)
      assert.equal(await usePendingSignIn(tx, hashOf(marko)), expected)
      assert.equal(
        (await useMailLink(tx, hashOf('change_email', marko), ['change_email'])) !== null,
        expected,
      )
    }
  }))

test('a new browser above the limit removes one other browser of its account, and none of another account', async () => {
  const changed = await findChangedRows(db, names, async (tx) => {
    // With these browsers, Ana has 20, which is the limit.
    await rows(
      tx,
      `insert into devices (account_id, token_hash) select $1, sha256(n::text::bytea) from generate_series(1, 18) as n`,
      [ana],
    )
    await upsertDevice(tx, ana, hashOf('another'))
  })
  const forgotten = changed.filter((label) => /laptop|phone/.test(label))
  assert.equal(forgotten.length, 1)
  assert.match(forgotten[0]!, /^devices ana /)
})
