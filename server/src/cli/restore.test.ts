import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { createListingUpstream, toListedPayment } from '../../test/listing-upstream.ts'
import { recordStatements } from '../../test/payments.ts'
import { recordUse, registerAccount } from '../backends/accounts-store.ts'
import { UnknownOutcomeError } from '../backends/backend.ts'
import type { Backend } from '../backends/backend.ts'
import { readFirstStart, readRestoreGate } from '../db/gate-store.ts'
import { GateClosedError } from '../db/gate-view.ts'
import { closeIncident } from '../payments/incidents.ts'
import { applyRestoredFrom, openGate } from '../reconciliation/close-gate.ts'
import { backup, restore } from './backup.ts'
import { RefusedError, toPrinted, UsageError } from './command.ts'
import { incidents } from './incidents.ts'
import { reconcile } from './reconcile.ts'

const service = await startTestService()
const { deps } = service
const { db, config } = deps

const isClosed = async () => (await readRestoreGate(db)).closedAt !== null
const toTimeAgo = (ms: number) => new Date(deps.clock.nowMs() - ms).toISOString()
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/**
 * When the command must begin to read the upstream's list: ten minutes before the newest payment or refund of the backup.
 * This backup has neither, so the time is ten minutes before the first start of the service.
 */
const sinceFirstStart = new Date((await readFirstStart(db)).getTime() - 10 * MINUTE_MS)
  .toISOString()
  .replace(/\.\d+Z$/, 'Z')
const toEnd = `npm run pazar -- reconcile --since ${sinceFirstStart}`

const dataDir = await mkdtemp(path.join(tmpdir(), 'pazar-restore-'))
after(() => rm(dataDir, { recursive: true }))
/** With these settings the database counts as the embedded one. */
const embedded = { ...deps, config: { ...config, databaseUrl: null, dataDir } }
const backupDir = path.join(dataDir, 'monday')
await mkdir(path.join(backupDir, 'data'), { recursive: true })
await writeFile(path.join(backupDir, 'data', 'PG_VERSION'), '18')

const putFilesBack = () => restore.prepare!(embedded.config, [backupDir])

async function restoreBackup(): Promise<string> {
  await putFilesBack()
  return toPrinted(await restore.run(embedded, [backupDir])).text
}

async function run(args: string[], live: Partial<Backend> = {}) {
  const backends = { ...deps.backends, live: { ...deps.backends.live, ...live } }
  return toPrinted(await reconcile.run({ ...deps, backends }, args))
}

test('backup and restore are refused with DATABASE_URL, and accept exactly one directory', async () => {
  for (const command of [backup, restore]) {
    await assert.rejects(command.prepare!(config, ['/tmp/copy']), RefusedError, command.name)
    for (const args of [[], ['-x'], ['a', 'b']])
      await assert.rejects(command.prepare!(config, args), UsageError, `${command.name} ${args.join(' ')}`)
  }
})

test('a restore stops payments, signs everybody out and names the backup in its incident', async () => {
  const owner = await signUp(service.app)
  assert.equal(await isClosed(), false)
  const text = await restoreBackup()
  assert.ok(text.endsWith(`Payments are stopped until you run: ${toEnd}`), text)
  assert.equal(await isClosed(), true)
  assert.equal(deps.restoreGate.isClosed(), true)
  assert.equal((await owner.get('/portal/api/session')).code, 'unauthenticated')
  const [incident] = await rows<{ facts: { restoredFrom: string } }>(
    db,
    `select facts from incidents where kind = 'restored' and closed_at is null`,
  )
  assert.ok(incident!.facts.restoredFrom.startsWith(`backup ${backupDir} at 2`))
})

test('--since with an invalid or future time, or together with --transaction, is refused with the usage', async () => {
  for (const since of [
    'yesterday',
    '2026-13-01',
    '2026-02-30T12:00:00Z',
    '2026-11-16T12:00',
    '16.11.2026',
    toTimeAgo(-DAY_MS),
  ])
    await assert.rejects(run(['--since', since]), UsageError, since)
  await assert.rejects(run(['--since', toTimeAgo(DAY_MS), '--transaction', 'x']), UsageError)
  assert.equal(await isClosed(), true)
})

test('a dry run does not let payments continue', async () => {
  const { text, exitCode } = await run(['--since', '1970-01-01', '--dry-run'])
  assert.match(
    text,
    /^sandbox: payments: 0 known, .*\nPayments stay stopped\.\nDry run: nothing was recorded\.$/,
  )
  assert.equal(exitCode, 0)
  assert.equal(await isClosed(), true)
})

test('an upstream that does not respond keeps payments stopped', async () => {
  const lists = {
    ...deps.backends.live.lists!,
    sessions: async () => Promise.reject(new UnknownOutcomeError('no response')),
    payments: async () => Promise.reject(new UnknownOutcomeError('no response')),
  }
  await assert.rejects(
    run(['--since', toTimeAgo(DAY_MS)], { lists }),
    (error) =>
      error instanceof RefusedError && /^Not finished: no response .*stay stopped\./.test(error.message),
  )
  assert.equal(await isClosed(), true)
})

test('a --since later than the last row of the backup keeps payments stopped', async () => {
  for (const more of [[], ['--dry-run']]) {
    const { text, exitCode } = await run(['--since', toTimeAgo(MINUTE_MS), ...more])
    assert.match(text, /Payments stay stopped: --since is later than the last row of the backup\./)
    assert.ok(text.split('\n').includes(`  ${toEnd}`), text)
    assert.deepEqual([exitCode, await isClosed()], [1, true])
  }
})

test('while payments are stopped, the incident of the restore names the command “reconcile --since”, and cannot be closed', async () => {
  const runIncidents = async (...args: string[]) => toPrinted(await incidents.run(deps, args)).text
  const [line, ending] = (await runIncidents('list')).split('\n')
  const id = line!.split(' ')[0]!
  assert.equal(ending!.trim(), toEnd)
  assert.ok((await runIncidents('show', id)).includes(`To end it: ${toEnd}`))
  for (const more of [[], ['--dry-run']])
    await assert.rejects(
      runIncidents('close', id, ...more),
      (error) =>
        error instanceof RefusedError &&
        error.message === `Payments are stopped; this incident ends with: ${toEnd}`,
    )
  await assert.rejects(closeIncident(deps, Number(id)), GateClosedError)
  assert.match(await runIncidents('list'), /restored/)
})

test('an upstream without lists keeps payments stopped with exit code 1, unless --accept-unlisted is given', async () => {
  const unlisted = { lists: undefined }
  const sinceArgs = ['--since', '1970-01-01']
  const { text, exitCode } = await run(sinceArgs, unlisted as never)
  assert.match(
    text,
    /^sandbox: does not list its payments .*\nPayments stay stopped: an upstream does not list/,
  )
  assert.equal(exitCode, 1)
  // Accepting another problem does not let payments continue.
  assert.equal((await run([...sinceArgs, '--accept-failed'], unlisted as never)).exitCode, 1)
  assert.equal(await isClosed(), true)
  const accepted = await run([...sinceArgs, '--accept-unlisted'], unlisted as never)
  assert.match(accepted.text, /Payments, refunds and callbacks go on\.$/)
  assert.deepEqual([accepted.exitCode, await isClosed()], [0, false])
  assert.match((await run(sinceArgs)).text, /Payments were not stopped\.$/)
  assert.equal(toPrinted(await incidents.run(deps, ['list'])).text, 'None.')
})

test('if payments were opened at an upstream that is not configured for the command, payments stay stopped unless --accept-unlisted is given', async () => {
  await restoreBackup()
  const url = 'https://upstream.example.me'
  await registerAccount(db, 'http', url)
  await recordUse(db, 'http', url)
  const sinceArgs = ['--since', '1970-01-01']
  for (const more of [[], ['--dry-run']]) {
    const { text, exitCode } = await run([...sinceArgs, ...more])
    assert.match(
      text,
      /\nhttp https:\/\/upstream\.example\.me: .*not configured here.*\nPayments stay stopped: run the command with the settings of the service/,
    )
    assert.deepEqual([exitCode, await isClosed()], [1, true])
  }
  const accepted = await run([...sinceArgs, '--accept-unlisted'])
  assert.deepEqual([accepted.exitCode, await isClosed()], [0, false])
  await rows(db, 'delete from upstream_accounts')
})

test('a charge without our metadata, or an entry that cannot be stored, keeps payments stopped with exit code 1', async () => {
  await restoreBackup()
  const upstream = createListingUpstream(deps, 'http')
  const failing = recordStatements(deps, async (name, work) => {
    if (name === 'payments.adopt') throw new Error('cannot be stored')
    return work()
  })
  const reconcileWith = async (usedDeps: typeof deps) => {
    const backends = { ...deps.backends, live: upstream.backend }
    return toPrinted(await reconcile.run({ ...usedDeps, backends }, ['--since', '1970-01-01']))
  }
  const listed = toListedPayment(deps, (await (await signUp(service.app)).addProject()).id)
  upstream.payments.push(listed)
  const failed = await reconcileWith(failing.deps)
  assert.match(failed.text, /; 1 failed\.\nPayments stay stopped: not everything could be read and stored\./)
  assert.deepEqual([failed.exitCode, await isClosed()], [1, true])
  upstream.payments.splice(0, 1, { ...listed, origin: null })
  const unmarked = await reconcileWith(deps)
  assert.match(unmarked.text, /Payments stay stopped: an upstream lists charges without our metadata/)
  assert.deepEqual([unmarked.exitCode, await isClosed()], [1, true])
})

test('if a restore could not stop payments, the next start stops them, and later starts do not stop them again', async () => {
  const open = async () => openGate(deps, (await readRestoreGate(db)).closedAt!)
  await open()
  await applyRestoredFrom(embedded)
  assert.equal(await isClosed(), false, 'each restore stops payments only once')
  await putFilesBack()
  await applyRestoredFrom(deps)
  assert.equal(await isClosed(), false, 'the restored files are of another database')
  await applyRestoredFrom(embedded)
  assert.equal(await isClosed(), true)
  await open()
  await applyRestoredFrom(embedded)
  assert.equal(await isClosed(), false)
})
