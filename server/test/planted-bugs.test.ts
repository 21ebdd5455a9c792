// Twelve bugs that would cost somebody money or a secret, each planted in a copy of the sources: the tests named beside
// it must notice. In `npm test` only that each can still be planted; in `npm run prove` they are.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { count, share } from './counts.ts'

interface Bug {
  what: string
  file: string
  right: string
  wrong: string
  noticedBy: string
}

const BUGS: readonly Bug[] = [
  {
    what: 'a test link needs no signature',
    file: 'server/src/paylinks/pay-link.ts',
    right: "demanded || link.mode === 'test'",
    wrong: 'demanded',
    noticedBy: 'server/src/checkout/refusals.test.ts',
  },
  {
    what: 'a page token lives for ever',
    file: 'server/src/checkout/attempt-token.ts',
    right: 'nowMs - at > TOKEN_MAX_AGE_MS',
    wrong: 'false',
    noticedBy: 'server/src/checkout/confirm-link.test.ts',
  },
  {
    what: 'markup of a caller reaches the page',
    file: 'server/src/lib/html.ts',
    right: 'return escapeHtml(String(value))',
    wrong: 'return String(value)',
    noticedBy: 'server/src/lib/html.test.ts',
  },
  {
    what: 'a payment can end twice',
    file: 'server/src/payments/settle-store.ts',
    right: "and t.state in ('processing', 'requires_action')",
    wrong: '',
    noticedBy: 'server/src/payments/record-report.test.ts',
  },
  {
    what: 'an order in review can be charged again',
    file: 'server/src/payments/payments-store.ts',
    right: 't.custom_id = asked.custom_id and t.needs_review',
    wrong: 't.custom_id = asked.custom_id and false',
    noticedBy: 'server/src/payments/confirm.test.ts',
  },
  {
    what: 'a status says paid whatever the amount',
    file: 'server/src/payments/status.ts',
    right: 'amount === paid.toString()',
    wrong: 'true',
    noticedBy: 'server/src/payments/status.test.ts',
  },
  {
    what: "another owner's project can be read",
    file: 'server/src/projects/projects-store.ts',
    right: "statement('projects.find', `${SELECT} where p.owner_id = $1 and p.id = $2`)",
    wrong: "statement('projects.find', `${SELECT} where $1::uuid is not null and p.id = $2`)",
    noticedBy: 'server/src/projects/projects.test.ts',
  },
  {
    what: 'a process that lost its claim writes over the one that has it',
    file: 'server/src/callbacks/flush-store.ts',
    right: 'c.id = d.id and c.claim = d.claim',
    wrong: 'c.id = d.id',
    noticedBy: 'server/src/callbacks/claim-store.test.ts',
  },
  {
    what: 'a late fail is still sent after the order was paid',
    file: 'server/src/callbacks/outbox-store.ts',
    right: "where e.state = 'succeeded' and",
    wrong: "where e.state = 'failed' and",
    noticedBy: 'server/src/callbacks/worker-loop.test.ts',
  },
  {
    what: "a cloud's metadata address counts as public",
    file: 'server/src/lib/public-address.ts',
    right: "'169.254.0.0/16',",
    wrong: "'169.254.0.0/17',",
    noticedBy: 'server/src/lib/public-address.test.ts',
  },
  {
    what: 'a session outlives its time',
    file: 'server/src/accounts/sessions-store.ts',
    right: 's.expires_at > now() and',
    wrong: 'true and',
    noticedBy: 'server/src/accounts/sessions.test.ts',
  },
  {
    what: 'a sixth guess at a password is evaluated',
    file: 'server/src/accounts/lockout-store.ts',
    right: 'LOCKOUT_ATTEMPTS_MAX = 5',
    wrong: 'LOCKOUT_ATTEMPTS_MAX = 6',
    noticedBy: 'server/src/accounts/lockout.test.ts',
  },
]

const ROOT = path.join(import.meta.dirname, '../..')
const NOT_COPIED = new Set(['node_modules', '.git', 'dist', 'data', 'packages-dist'])

async function copySources(): Promise<string> {
  const copy = await mkdtemp(path.join(tmpdir(), 'pazar-planted-'))
  await cp(ROOT, copy, { recursive: true, filter: (from) => !NOT_COPIED.has(path.basename(from)) })
  await symlink(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'))
  return copy
}

async function isNoticed(copy: string, bug: Bug): Promise<boolean> {
  // With its own counts, and not as a part of this run, which would take its report for one of ours.
  const command = ['-u', 'PAZAR_PROVE', '-u', 'NODE_TEST_CONTEXT', process.execPath, '--test', bug.noticedBy]
  const child = spawn('env', command, { cwd: copy, stdio: 'ignore' })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code !== 0
}

for (const bug of BUGS) {
  test(`can be planted: ${bug.what}`, async () => {
    const text = await readFile(path.join(ROOT, bug.file), 'utf8')
    assert.equal(text.split(bug.right).length, 2, `${bug.file} has "${bug.right}" once`)
    await readFile(path.join(ROOT, bug.noticedBy))
  })
}

if (share === 'prove')
  test('every planted bug is noticed', async (t) => {
    const copy = await copySources()
    t.after(() => rm(copy, { recursive: true, force: true }))
    for (const bug of BUGS.slice(0, count('plantedBugs', t))) {
      const file = path.join(copy, bug.file)
      const text = await readFile(file, 'utf8')
      assert.equal(await isNoticed(copy, bug), false, `${bug.noticedBy} passes without a bug`)
      await writeFile(file, text.replace(bug.right, bug.wrong))
      assert.equal(await isNoticed(copy, bug), true, `${bug.noticedBy} must notice: ${bug.what}`)
      await writeFile(file, text)
    }
  })
