// Checks that each statement about projects and people changes or finds only rows of the given project and person. In each
// case, other projects have the same rows, and the changes are rolled back.
// Why this is long: one case per statement.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { findChangedRows, rollBackAfter } from '../../test/changed-rows.ts'
import { GOOD_PROJECT } from '../../test/client.ts'
import { startPeopleWorld } from '../../test/people-world.ts'
import { isLocked } from '../../test/row-locks.ts'
import type { Tx } from '../db/pool.ts'
import * as next from '../secrets/next-secrets-store.ts'
import { recordProved, replaceSecret, resealSecret } from '../secrets/secrets-store.ts'
import { setBrand, setLogo } from './brands-store.ts'
import * as members from './members-store.ts'
import * as projects from './projects-store.ts'
import * as transfers from './transfers-store.ts'

const world = await startPeopleWorld()
const { db, databaseUrl, names, ana, marko, vera, shop, stall, kiosk } = world

function testAndRollBack(title: string, run: (tx: Tx) => Promise<void>): void {
  void test(title, () => rollBackAfter(db, run))
}

type Case = [what: string, run: (tx: Tx) => Promise<unknown>, changed: readonly string[]]

const SETTINGS = {
  ...GOOD_PROJECT,
  name: 'Renamed',
  testApiUrl: null,
  requireSignedLinks: true,
  events: ['payment.result' as const],
  timeZone: 'UTC',
}
const LOGO = { extension: 'png', bytes: Buffer.from('logo') } as const
const SEALED = Buffer.from('sealed again')
const accept = `update project_transfers set to_id = $1, accepted_at = now(), due_at = now() where project_id = any ($2)`

const CASES: readonly Case[] = [
  ['settings', (tx) => projects.updateSettings(tx, shop, SETTINGS), ['projects shop']],
  ['project archived', (tx) => projects.setArchived(tx, shop), ['projects shop']],
  ['a new owner', (tx) => projects.transferToFreeSlot(tx, marko, shop), ['projects shop']],
  [
    'URLs',
    (tx) => projects.replaceUrls(tx, shop, { resultUrl: 'https://a.example', apiUrl: 'https://a.example' }),
    ['projects shop'],
  ],
  [
    'brand',
    (tx) => setBrand(tx, shop, { displayName: 'X', accent: null, supportEmail: null, website: null }),
    ['project_brands shop'],
  ],
  ['logo', (tx) => setLogo(tx, shop, LOGO), ['project_brands shop']],

  [
    'role of a member',
    (tx) => members.putMember(tx, shop, { accountId: marko, role: 'support', mails: [] }),
    ['project_members shop marko'],
  ],
  ['mails of a member', (tx) => members.setMails(tx, shop, marko, []), ['project_members shop marko']],
  ['member removed', (tx) => members.deleteMember(tx, shop, marko), ['project_members shop marko']],
  [
    'membership of a new owner',
    (tx) => members.deleteMembershipOfNewOwner(tx, shop, marko),
    ['project_members shop marko'],
  ],
  [
    'memberships of a closed account',
    (tx) => members.deleteMembershipsOfClosed(tx, marko, [kiosk]),
    ['kiosk ana', 'kiosk vera', 'shop marko', 'stall marko'].map((one) => `project_members ${one}`),
  ],

  [
    'transfer offered to the person who joins',
    (tx) => transfers.setRecipient(tx, shop, { accountId: vera, emailKey: 'guest' }),
    ['project_transfers shop'],
  ],
  [
    'transfer offered to somebody else than the person who joins',
    (tx) => transfers.setRecipient(tx, shop, { accountId: vera, emailKey: 'friend' }),
    [],
  ],
  ['transfer removed', (tx) => transfers.deleteTransfer(tx, shop), ['project_transfers shop']],
  [
    'transfers offered by a closed account',
    (tx) => transfers.deleteTransfersOfClosed(tx, marko, 'x'),
    ['project_transfers kiosk'],
  ],
  [
    'transfers offered to a closed account',
    (tx) => transfers.deleteTransfersOfClosed(tx, vera, 'guest'),
    ['kiosk', 'shop', 'stall'].map((name) => `project_transfers ${name}`),
  ],
  ['end of a transfer that is not due', (tx) => transfers.takeEndingTransfer(tx, shop), []],

  [
    'secret replaced',
    (tx) => replaceSecret(tx, shop, 'live', { sealed: SEALED, version: 2 }),
    ['project_secrets shop live'],
  ],
  ['secret sealed again', (tx) => resealSecret(tx, shop, 'test', SEALED), ['project_secrets shop test']],
  ['secret used', (tx) => recordProved(tx, shop, 'live'), ['project_secrets shop live']],
  [
    'next secret prepared',
    (tx) => next.putNextSecret(tx, { projectId: shop, sealed: SEALED, preparedBy: vera, hours: 1 }),
    ['next_secrets shop'],
  ],
  ['next secret taken', (tx) => next.takeNextSecret(tx, shop), ['next_secrets shop']],
  ['next secret sealed again', (tx) => next.resealNextSecret(tx, shop, SEALED), ['next_secrets shop']],
]

for (const [caseName, run, changed] of CASES)
  test(`${caseName}: only the expected rows change`, async () => {
    const found = await findChangedRows(db, names, run)
    assert.deepEqual(found, changed.toSorted())
  })

test('deleting a project deletes its own rows and no others', async () => {
  const found = await findChangedRows(db, names, (tx) => projects.deleteProjectRow(tx, kiosk))
  assert.ok(found.includes('projects kiosk'))
  assert.deepEqual(
    found.filter((label) => !label.split(' ').includes('kiosk')),
    [],
  )
})

testAndRollBack(
  'an archived project is not given to a new owner, and restoring a project restores no other project',
  async (tx) => {
    await rows(tx, 'update projects set archived_at = now()')
    assert.equal(await projects.transferToFreeSlot(tx, marko, shop), false)
    assert.equal(await projects.restoreToFreeSlot(tx, ana, shop), true)
    const text = 'select id, owner_id from projects where archived_at is null'
    assert.deepEqual(await rows(tx, text), [{ id: shop, owner_id: ana }])
  },
)

testAndRollBack(
  'findEndingTransfers lists due transfers and expired offers, and takeEndingTransfer takes a due transfer',
  async (tx) => {
    const listEnding = async () => (await transfers.findEndingTransfers(tx)).map(({ projectId }) => projectId)
    assert.deepEqual(await listEnding(), [])
    await rows(tx, accept, [vera, [shop]])
    await rows(tx, `update project_transfers set expires_at = now() where project_id = any ($1)`, [
      [shop, stall],
    ])
    assert.deepEqual((await listEnding()).toSorted(), [shop, stall].toSorted())
    assert.deepEqual(
      [await transfers.findTransfer(tx, shop), await transfers.findTransfer(tx, stall)].map(
        (one) => one?.projectId,
      ),
      [shop, undefined],
    )
    assert.equal((await transfers.takeEndingTransfer(tx, shop))?.toId, vera)
    assert.deepEqual(await listEnding(), [stall])
    assert.equal(await transfers.takeEndingTransfer(tx, kiosk), null)
  },
)

testAndRollBack('an offer is accepted once, by its recipient, before it expires', async (tx) => {
  await rows(tx, 'update project_transfers set to_id = $1', [vera])
  await rows(tx, 'update project_transfers set expires_at = now() where project_id = $1', [kiosk])
  const isAccepted = async (id: string, accountId = vera) =>
    (await transfers.setAccepted(tx, id, accountId)) !== null
  assert.deepEqual([await isAccepted(shop, marko), await isAccepted(kiosk)], [false, false])
  assert.deepEqual([await isAccepted(shop), await isAccepted(shop)], [true, false])
  assert.equal((await transfers.findTransfer(tx, stall))?.dueAt, null)
})

testAndRollBack('members are listed and found only in their own project', async (tx) => {
  const namesOf = async (id: string) =>
    (await members.listMembers(tx, id)).map(({ accountId }) => names.get(accountId))
  assert.deepEqual(
    [(await namesOf(shop)).toSorted(), (await namesOf(kiosk)).toSorted()],
    [
      ['marko', 'vera'],
      ['ana', 'vera'],
    ],
  )
  assert.equal(await members.findMember(tx, shop, world.emailOf(0)), null)
  assert.equal((await members.findMember(tx, kiosk, world.emailOf(0)))?.accountId, ana)
  assert.deepEqual(
    [await members.countSharedProjects(tx, ana), await members.countSharedProjects(tx, vera)],
    [1, 3],
  )
})

testAndRollBack(
  'mails about a project go to its members who chose the topic and have an open account',
  async (tx) => {
    const recipientsOf = async (topic: 'security' | 'failures') =>
      (await members.findMemberRecipients(tx, shop, topic)).map(({ id }) => names.get(id)).toSorted()
    assert.deepEqual(
      [await recipientsOf('security'), await recipientsOf('failures')],
      [['marko', 'vera'], []],
    )
    await members.setMails(tx, shop, vera, ['failures'])
    assert.deepEqual([await recipientsOf('security'), await recipientsOf('failures')], [['marko'], ['vera']])
    await rows(tx, 'update accounts set closed_at = now() where id = $1', [marko])
    assert.deepEqual(await recipientsOf('security'), [])
  },
)

testAndRollBack(
  'people who are neither owner nor member of a project are found, so that their streams end',
  async (tx) => {
    const pairs = [ana, marko, vera].map((accountId) => ({ projectId: shop, accountId }))
    const listWithoutAccess = async () => [...(await members.findWithoutAccess(tx, pairs))]
    assert.deepEqual(await listWithoutAccess(), [])
    await members.deleteMember(tx, shop, vera)
    assert.deepEqual(await listWithoutAccess(), [`${shop} ${vera}`])
    await rows(tx, 'update projects set owner_id = $2, slot = 5 where id = $1', [shop, vera])
    await members.deleteMember(tx, shop, marko)
    assert.deepEqual(
      (await listWithoutAccess()).toSorted(),
      [`${shop} ${ana}`, `${shop} ${marko}`].toSorted(),
    )
  },
)

testAndRollBack(
  'a project subscribes to exactly the events that it chose, even if another project chose others',
  async (tx) => {
    await projects.updateSettings(tx, shop, { ...SETTINGS, events: ['refund.result'] })
    const isSubscribed = (id: string) => projects.subscribesTo(tx, id, 'refund.result')
    assert.deepEqual([await isSubscribed(shop), await isSubscribed(stall)], [true, false])
    assert.equal(await projects.subscribesTo(tx, shop, 'payment.result'), false)
  },
)

testAndRollBack(
  'a prepared secret belongs to one project, and ends when it expires or when its creator’s password changes',
  async (tx) => {
    const has = async (id: string) => (await next.findNextSecret(tx, id)) !== null
    await next.takeNextSecret(tx, kiosk)
    assert.deepEqual([await has(shop), await has(kiosk)], [true, false])
    await rows(tx, 'update next_secrets set expires_at = now() where project_id = $1', [shop])
    assert.deepEqual([await has(shop), await has(stall)], [false, true])
    await rows(tx, 'update accounts set credential_version = 2 where id = $1', [ana])
    assert.equal(await has(stall), false)
    assert.equal(await next.takeNextSecret(tx, stall), null)
  },
)

for (const [caseName, lock, blocksPayments] of [
  ['joining a project', projects.lockProject, false],
  ['deleting a project', projects.lockProjectKey, true],
  ['creating a token', projects.lockProjectShared, false],
] as const)
  testAndRollBack(
    `the lock for ${caseName} is on one project only; payments ${blocksPayments ? 'wait' : 'do not wait'}`,
    async (tx) => {
      await lock(tx, shop)
      const select = 'select from projects where id = $1'
      assert.deepEqual(
        [await isLocked(databaseUrl, select, [shop]), await isLocked(databaseUrl, select, [stall])],
        [true, false],
      )
      // An inserted payment takes the lock `key share` on its project.
      assert.equal(await isLocked(databaseUrl, select, [shop], 'key share'), blocksPayments)
    },
  )

testAndRollBack(
  'rekeying locks the prepared secrets of a batch, and the next batch begins after that batch',
  async (tx) => {
    const [first, ...more] = await next.lockNextSecretsToReseal(tx, '', 1)
    assert.deepEqual(more, [])
    const rest = await next.lockNextSecretsToReseal(tx, first!.projectId, 9)
    assert.deepEqual(
      [first, ...rest].map((one) => one!.projectId),
      [shop, stall, kiosk].toSorted(),
    )
    assert.equal(await isLocked(databaseUrl, 'select from next_secrets where project_id = $1', [shop]), true)
  },
)
