// A planted bug is a harmful change to the source. Each bug names the test file that must fail because of the change.
// `npm test` checks that each change can still be made. `npm run prove` makes the changes in copies of the sources and
// runs the tests.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { countRounds, runShare, countAllRounds } from './counts.ts'
import { BASE_BUGS } from './planted-bugs/base.ts'
import type { Bug } from './planted-bugs/bug.ts'
import { CHECKOUT_BUGS } from './planted-bugs/checkout.ts'
import { EDGE_BUGS } from './planted-bugs/edges.ts'
import { GUARD_BUGS } from './planted-bugs/guards.ts'
import { MEMBER_BUGS } from './planted-bugs/members.ts'
import { MONEY_BUGS } from './planted-bugs/money.ts'
import { NEIGHBOUR_BUGS } from './planted-bugs/neighbours.ts'
import { NEW_CALLBACK_BUGS } from './planted-bugs/new-callbacks.ts'
import { ORDER_BUGS } from './planted-bugs/orders.ts'
import { OWN_FOLDER_BUGS } from './planted-bugs/own-folders.ts'
import { PAUSED_PROCESS_BUGS } from './planted-bugs/paused-process.ts'
import { PEOPLE_BUGS } from './planted-bugs/people.ts'
import { RARE_PATH_BUGS } from './planted-bugs/rare-paths.ts'
import { REPORT_BUGS } from './planted-bugs/reports.ts'
import { SCOPE_BUGS } from './planted-bugs/scopes.ts'
import { SECOND_LOOK_BUGS } from './planted-bugs/second-looks.ts'
import { SLOT_BUGS } from './planted-bugs/slots.ts'
import { SURVIVOR_BUGS } from './planted-bugs/survivors.ts'

const BUGS: readonly Bug[] = [
  ...CHECKOUT_BUGS,
  ...MONEY_BUGS,
  ...PEOPLE_BUGS,
  ...BASE_BUGS,
  ...SCOPE_BUGS,
  ...SURVIVOR_BUGS,
  ...REPORT_BUGS,
  ...EDGE_BUGS,
  ...MEMBER_BUGS,
  ...GUARD_BUGS,
  ...ORDER_BUGS,
  ...NEIGHBOUR_BUGS,
  ...RARE_PATH_BUGS,
  ...SECOND_LOOK_BUGS,
  ...OWN_FOLDER_BUGS,
  ...SLOT_BUGS,
  ...NEW_CALLBACK_BUGS,
  ...PAUSED_PROCESS_BUGS,
]

const ROOT = path.join(import.meta.dirname, '../..')
const NOT_COPIED = new Set(['node_modules', '.git', 'data', 'packages-dist'])
const COPIES = 2
/** How long one test file may run. Every file that a bug names needs less. A test that hangs counts as failed. */
const RUN_TIMEOUT_MS = 240_000

/** Links the repository's own packages to the folders of the copy, and all other packages to the installed packages. */
async function linkModules(copy: string): Promise<void> {
  const own = path.join(copy, 'node_modules/@pazar')
  await mkdir(own, { recursive: true })
  for (const name of await readdir(path.join(ROOT, 'node_modules'))) {
    if (name !== '@pazar' && name !== '.cache')
      await symlink(path.join(ROOT, 'node_modules', name), path.join(copy, 'node_modules', name))
  }
  for (const name of ['cli', 'contract', 'theme', 'sdk', 'server', 'words'])
    await symlink(path.join(copy, name), path.join(own, name))
}

async function copySources(): Promise<string> {
  const copy = await mkdtemp(path.join(tmpdir(), 'pazar-planted-'))
  await cp(ROOT, copy, { recursive: true, filter: (from) => !NOT_COPIED.has(path.basename(from)) })
  await linkModules(copy)
  return copy
}

async function runTest(copy: string, file: string): Promise<string | null> {
  // Without these variables the test uses the small counts of `npm test`, and does not report to this run.
  const command = ['-u', 'PAZAR_PROVE', '-u', 'NODE_TEST_CONTEXT', process.execPath, '--test', file]
  const child = spawn('env', command, {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: RUN_TIMEOUT_MS,
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return code === 0 ? null : output
}

async function isNoticed(copy: string, [, file, original, changed, noticedBy]: Bug): Promise<boolean> {
  const target = path.join(copy, file)
  const source = await readFile(target, 'utf8')
  await writeFile(
    target,
    source.replace(original, () => changed),
  )
  try {
    return (await runTest(copy, noticedBy)) !== null
  } finally {
    await writeFile(target, source)
  }
}

async function runAll<Job>(
  copies: readonly string[],
  jobs: readonly Job[],
  run: (copy: string, job: Job) => Promise<void>,
) {
  const waiting = [...jobs]
  await Promise.all(
    copies.map(async (copy) => {
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) await run(copy, job)
    }),
  )
}

for (const [bugName, file, original, changed, noticedBy] of BUGS) {
  test(`the source still has the line for the planted bug “${bugName}”`, async () => {
    const source = await readFile(path.join(ROOT, file), 'utf8')
    assert.equal(source.split(original).length, 2, `${file} must have "${original}" exactly once`)
    assert.notEqual(original, changed)
    await readFile(path.join(ROOT, noticedBy))
  })
}

test('every folder has planted bugs, all names are unique, and `npm run prove` plants every bug', async () => {
  assert.equal(countAllRounds('plantedBugs'), BUGS.length, 'counts.ts must have the number of bugs')
  assert.equal(new Set(BUGS.map(([what]) => what)).size, BUGS.length)
  assert.ok(BUGS.length >= 60, String(BUGS.length))
  const folders = (await readdir(path.join(ROOT, 'server/src'), { withFileTypes: true }))
    .filter((one) => one.isDirectory() && one.name !== 'demo')
    .map((one) => `server/src/${one.name}/`)
  for (const folder of [...folders, 'cli/src/', 'contract/src/', 'sdk/src/', 'words/src/'])
    assert.ok(
      BUGS.some(([, file]) => file.startsWith(folder)),
      `no bug is planted in ${folder}`,
    )
})

if (runShare === 'prove')
  test('every planted bug is noticed', async (t) => {
    const bugs = BUGS.slice(0, countRounds('plantedBugs', t))
    const copies = await Promise.all(Array.from({ length: COPIES }, copySources))
    t.after(() => Promise.all(copies.map((copy) => rm(copy, { recursive: true, force: true }))))
    /** Test files that fail even without a planted bug. */
    const broken: string[] = []
    await runAll(copies, [...new Set(bugs.map(([, , , , noticedBy]) => noticedBy))], async (copy, file) => {
      const output = await runTest(copy, file)
      if (output === null) return
      broken.push(file)
      t.diagnostic(`${file} fails without a planted bug:\n${output}`)
    })
    const survivors: string[] = []
    await runAll(copies, bugs, async (copy, bug) => {
      if (await isNoticed(copy, bug)) return
      survivors.push(`${bug[0]} (${bug[4]})`)
      // The bug is printed immediately, because the whole run takes half an hour.
      console.log(`not noticed: ${survivors.at(-1)}`)
    })
    assert.deepEqual({ broken, survivors }, { broken: [], survivors: [] })
  })
