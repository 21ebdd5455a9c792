// Two releases use one database, at the same time or one after the other.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { buildTestService } from '../../../scripts/build-test-service.ts'
import { turnCompactOff } from '../../src/callbacks/compact-storage.ts'
import { hasCompactCallbacks } from '../../src/db/installation-store.ts'
import { migrate, readMigrations } from '../../src/db/migrate.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { untilAllDelivered } from '../callbacks/fleet.ts'
import { countRounds, runShare } from '../counts.ts'
import { queueCallbacks } from '../deliveries.ts'
import { TEST_KEY } from '../harness.ts'
import { HttpClient } from '../http-client.ts'
import { explainMissingCommit, EARLIEST_RELEASE, unpackRelease } from '../old-release.ts'
import type { OldRelease } from '../old-release.ts'
import { addShop, openReleaseTrial, underLoad } from '../release-trial.ts'
import { startServiceProcess } from '../service-process.ts'
import { until } from '../until.ts'

/**
 * An older release, whose migrations are not marked as additive. It keeps running while a newer release migrates the
 * database, but it cannot be started afterwards.
 */
const RELEASE_WITHOUT_MARKERS = '9f1046faf11d053ac605cf1f7227ec975149d7e9'

const NEXT_MIGRATIONS = [
  { inTransaction: true, sql: 'create table next_notes (id uuid primary key, note text not null)' },
  {
    inTransaction: true,
    sql: `alter table transactions add column next_note text, add column next_kind text not null default 'card'`,
  },
  { inTransaction: true, sql: 'alter table callbacks add column next_note text' },
  { inTransaction: true, sql: 'alter table projects add column next_note text' },
  {
    inTransaction: false,
    sql: 'create index concurrently if not exists transactions_next on transactions (project_id, next_kind)',
  },
]

async function migrateToNext(databaseUrl: string): Promise<void> {
  const all = await readMigrations()
  const next = NEXT_MIGRATIONS.map((one, index) => {
    const version = all.length + 1 + index
    return { ...one, version, name: `${version}_next`, checksum: one.sql, additive: true }
  })
  assert.equal(await migrate(databaseUrl, { migrations: [...all, ...next] }), next.length)
}

let unpacked: ReturnType<typeof unpackAndBundle> | null = null
after(async () => (await unpacked)?.remove())

/** A bundle starts three times as fast as the source files. */
async function unpackAndBundle(commit: string): Promise<OldRelease & { main: string }> {
  const oldRelease = await unpackRelease(commit)
  return { ...oldRelease, main: await buildTestService(oldRelease.root) }
}

function unpackEarliest() {
  unpacked ??= unpackAndBundle(EARLIEST_RELEASE)
  return unpacked
}

const whyNoRelease = await explainMissingCommit(EARLIEST_RELEASE)
const whyNoOlder = await explainMissingCommit(RELEASE_WITHOUT_MARKERS)

test(
  'an earlier release and this release serve payers side by side during a deploy, a restart and a rollback',
  { skip: whyNoRelease ?? false },
  async (t) => {
    const oldRelease = await unpackEarliest()
    const rounds = countRounds('sideBySide', t)
    for (let round = 0; round < rounds; round += 1) {
      const trial = await openReleaseTrial(t)
      await trial.start('old 1', oldRelease)
      await trial.start('old 2', oldRelease)
      await underLoad(t, trial, async () => {
        await trial.waitForPayments()
        await trial.start('new 1')
        await migrateToNext(trial.databaseUrl)
        await trial.waitForPayments()
        await trial.stop('old 2')
        await trial.start('old 2', oldRelease)
        await trial.waitForPayments()
        await trial.start('new 2')
        await trial.stop('old 1')
        await trial.waitForPayments()
        await trial.start('old 1', oldRelease)
        await trial.stop('new 1')
        await trial.stop('new 2')
        await trial.waitForPayments()
      })
      for (const { name } of [...trial.replicas]) await trial.stop(name)
    }
  },
)

test(
  'after compact storage was turned off, an earlier release delivers the callbacks that this release had not delivered',
  { skip: whyNoRelease ?? false },
  async (t) => {
    const oldRelease = await unpackEarliest()
    const trial = await openReleaseTrial(t)
    const { db, merchant } = trial
    await trial.start('new')
    const shopId = await addShop(trial)
    assert.equal(await hasCompactCallbacks(db), true)
    const [delivered] = await queueCallbacks(db, shopId)
    await untilAllDelivered(db)
    await trial.stop('new')
    const waiting = await queueCallbacks(db, shopId, 30)
    assert.equal(await turnCompactOff({ db, clock: systemClock }, 0), waiting.length)
    await trial.start('old', oldRelease)
    await untilAllDelivered(db)
    assert.deepEqual(
      merchant.received.map(({ id }) => id).toSorted(),
      [delivered, ...waiting].toSorted(),
      'each arrived once',
    )
    await trial.stop('old')
  },
)

test(
  'a release without migration markers keeps serving while this release migrates and replaces it',
  { skip: whyNoOlder ?? (runShare === 'prove' ? false : 'only `npm run prove` runs a release this old') },
  async (t) => {
    const oldRelease = await unpackRelease(RELEASE_WITHOUT_MARKERS)
    t.after(() => oldRelease.remove())
    const trial = await openReleaseTrial(t)
    await trial.start('old', oldRelease)
    await underLoad(t, trial, async () => {
      await trial.waitForPayments()
      await trial.start('new')
      await migrateToNext(trial.databaseUrl)
      await trial.waitForPayments()
      await trial.stop('old')
      await trial.waitForPayments()
    })
    await trial.stop('new')
  },
)

test(
  'this release can use the embedded database of an earlier release, and the earlier release can use it afterwards',
  { skip: whyNoRelease ?? false },
  async (t) => {
    const oldRelease = await unpackEarliest()
    const dir = await mkdtemp(path.join(tmpdir(), 'pazar-handed-over-'))
    t.after(() => rm(dir, { recursive: true, force: true }))
    const env = { NODE_ENV: 'test', DATA_DIR: dir, SECRETS_KEY: TEST_KEY, LOG_LEVEL: 'warn', DEMO: 'off' }
    const ana = { email: 'ana@example.com', password: 'seven green goats' }
    const takeovers = [
      ['old', '/portal/api/sign-up'],
      ['new', '/portal/api/sign-in'],
      ['old', '/portal/api/sign-in'],
      ['new', '/portal/api/sign-in'],
    ] as const
    // Each round takes long, because it starts a service and its database. So only `npm run prove` runs the last round.
    for (const [release, route] of runShare === 'prove' ? takeovers : takeovers.slice(0, -1)) {
      const service = await startServiceProcess(env, release === 'old' ? oldRelease : {})
      t.after(() => service.kill())
      const client = new HttpClient(service.baseUrl)
      // On a busy machine the first request may get 503, because connecting to the database takes too long.
      const { status } = await until(async () => {
        const response = await client.send('POST', route, ana)
        return response.status === 503 ? null : response
      }, `${release} responds`)
      assert.ok(status < 300, `${release}: ${status}`)
      assert.equal(await service.stop(), 0, service.output())
    }
  },
)
