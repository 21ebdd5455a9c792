// Hostile callback URLs, written directly to the database. The service must connect to none of them.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { AccountId } from '../../src/accounts/account.ts'
import type { CallbackDeps } from '../../src/callbacks/deps.ts'
import type { Dial } from '../../src/egress/dial.ts'
import { createPublicFetch } from '../../src/egress/public-fetch.ts'
import { sendTestCallback } from '../../src/deliveries/send-test.ts'
import { runExam } from '../../src/exam/run-exam.ts'
import { startDeliveryWorker } from '../../src/callbacks/worker-loop.ts'
import { rows } from '../accounts.ts'
import { addCallbackProject, queueCallbacks } from '../deliveries.ts'
import { startPayments } from '../payments.ts'
import { createStubResolver } from '../stub-resolver.ts'
import { until } from '../until.ts'
import { PRIVATE_NAMES, REFUSED_URLS } from '../url-corpus.ts'
import { changeCallbacks } from '../stored-forms.ts'

const { deps: base } = await startPayments()
const { db } = base
const dialed: string[] = []
const dialForTests: Dial = async (address, port) => {
  dialed.push(`${address}:${port}`)
  throw new Error('no connection may be opened')
}
const publicFetch = createPublicFetch({
  resolver: createStubResolver(PRIVATE_NAMES),
  allowHosts: new Set(),
  dialForTests,
})
const deps: CallbackDeps = { ...base, publicFetch }

const URLS = [
  ...REFUSED_URLS.map(([url]) => url),
  ...Object.keys(PRIVATE_NAMES).map((name) => `https://${name}/cb`),
]
const projectIds = new Map<string, string>()

before(async () => {
  for (const url of URLS) {
    // PostgreSQL cannot store these texts.
    if (url.includes('\u0000') || !url.isWellFormed()) continue
    projectIds.set(url, await addCallbackProject(deps, 'https://shop.example.com/callback'))
    await rows(db, 'update projects set api_url = $2 where id = $1', [projectIds.get(url), url])
  }
})

const countAttempts = async (nth: number) => {
  const [row] = await rows<{ n: bigint }>(
    db,
    'select count(*) as n from callback_attempts where attempt = $1',
    [nth],
  )
  return Number(row!.n)
}

test('the first attempt and the retry connect to no hostile URL, and are logged as blocked_address', async (t) => {
  for (const projectId of projectIds.values()) await queueCallbacks(db, projectId)
  const worker = startDeliveryWorker(deps)
  t.after(() => worker.stop())
  for (const nth of [1, 2]) {
    await changeCallbacks(db, `update callbacks set next_at = now() where status = 'pending'`)
    worker.wake()
    await until(async () => (await countAttempts(nth)) === projectIds.size, `attempt ${nth} of all callbacks`)
  }
  const outcomes = await rows<{ outcome: string; errors: string[] }>(
    db,
    'select outcome, array_agg(distinct error) as errors from callback_attempts group by 1',
  )
  assert.deepEqual(
    outcomes.map((row) => row.outcome),
    ['blocked_address'],
  )
  for (const error of outcomes[0]!.errors) assert.doesNotMatch(error, /\d+\.\d+\.\d+|::/)
  assert.deepEqual(dialed, [])
  t.diagnostic(`${projectIds.size} URLs, twice each`)
})

async function ownerOf(projectId: string): Promise<AccountId> {
  const text = 'select owner_id as id from projects where id = $1'
  const [owner] = await rows<{ id: AccountId }>(db, text, [projectId])
  return owner!.id
}

test('the exam connects to no hostile URL, passes no scenario and says why', async () => {
  for (const [url, projectId] of projectIds) {
    const body = { confirm: true }
    const report = await runExam(deps, await ownerOf(projectId), { projectId, body, locale: 'en' })
    assert.ok('scenarios' in report)
    assert.equal(report.passed, 0, url)
    const texts = report.scenarios.map(({ got, fix }) => `${got} ${fix}`).join(' ')
    assert.match(texts, /does not lead to a public address|Nothing was sent, because the callback URL/, url)
    assert.doesNotMatch(texts, /\d+\.\d+\.\d+|::/)
  }
  assert.deepEqual(dialed, [])
})

test('a test callback connects to no hostile URL, and its outcome is blocked_address', async () => {
  for (const [url, projectId] of projectIds) {
    const { attempt } = await sendTestCallback(deps, await ownerOf(projectId), {
      projectId,
      options: { status: 'success', amount: '1500' },
      locale: 'en',
    })
    assert.deepEqual([attempt.outcome, attempt.statusCode], ['blocked_address', null], url)
  }
  assert.deepEqual(dialed, [])
})
