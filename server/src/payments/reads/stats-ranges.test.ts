import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signUp } from '../../../test/client.ts'
import { insertPayments } from '../../../test/transactions.ts'
import type { StoredPayment } from '../../../test/transactions.ts'
import { startStatsOwner } from '../../../test/stats-owner.ts'
import { createRandom } from '../../demo/random.ts'

const { app, deps, owner, newProject, getStats, readStats } = await startStatsOwner()

const stranger = await signUp(app)

async function setZone(timeZone: string): Promise<void> {
  assert.equal((await owner.post('/portal/api/account', { timeZone })).status, 200)
}

const ZONES = ['Europe/Podgorica', 'Asia/Kathmandu', 'America/Havana', 'UTC']
const STATES = ['succeeded', 'succeeded', 'failed', 'expired', 'processing', 'requires_action'] as const

function countRows(
  payments: Required<Omit<StoredPayment, 'failureCode'>>[],
  from: string,
  to: string,
  zone: string,
) {
  const show = new Intl.DateTimeFormat('sv-SE', { timeZone: zone })
  const inRange = payments.filter(
    ({ createdAt, mode }) =>
      mode === 'live' && Date.parse(createdAt) >= Date.parse(from) && Date.parse(createdAt) < Date.parse(to),
  )
  const sum = (list: typeof inRange) => ({
    volume: list
      .reduce((all, { state, amount }) => all + (state === 'succeeded' ? BigInt(amount) : 0n), 0n)
      .toString(),
    count: list.length,
    succeeded: list.filter(({ state }) => state === 'succeeded').length,
    failed: list.filter(({ state }) => state === 'failed' || state === 'expired').length,
  })
  const days = Map.groupBy(inRange, ({ createdAt }) => show.format(new Date(createdAt)))
  return { whole: sum(inRange), days: new Map([...days].map(([day, list]) => [day, sum(list)])) }
}

for (const zone of ZONES) {
  test(`in ${zone}, the stats of random ranges around both European clock changes match a count of the rows`, async (t) => {
    const seed = Math.floor(Math.random() * 1_000_000)
    t.diagnostic(`seed ${seed}`)
    const random = createRandom(seed)
    await setZone(zone)
    const project = await newProject()
    const show = new Intl.DateTimeFormat('sv-SE', { timeZone: zone })
    for (const middle of ['2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z']) {
      const around = (hours: number) =>
        new Date(Date.parse(middle) + (random() - 0.5) * hours * 3_600_000).toISOString()
      const payments = Array.from({ length: 150 }, (_, n) => ({
        createdAt:
          n % 3 === 0 ? `${around(96).slice(0, 14)}${n % 2 === 0 ? '00' : '45'}:00.000Z` : around(96),
        amount: 1 + Math.floor(random() * 1_000_000),
        state: STATES[n % STATES.length]!,
        mode: n % 7 === 0 ? ('test' as const) : ('live' as const),
        customId: null,
        data: null,
      }))
      await insertPayments(deps, project, payments)
      for (let round = 0; round < 25; round += 1) {
        const [from, to] = [around(round % 2 === 0 ? 200 : 40), around(200)].toSorted() as [string, string]
        const { whole, days } = countRows(payments, from, to, zone)
        const reported = await readStats(project, { from, to })
        const { volume, count, succeeded, failed } = reported
        assert.deepEqual({ volume, count, succeeded, failed }, whole, `${from} to ${to}`)
        const ended = succeeded + failed
        assert.equal(reported.successRate, ended === 0 ? null : succeeded / ended)
        if (reported.bucket === 'hour') continue
        const reportedDays = reported.series.map(
          ({ at, volume, count, succeeded, failed }) =>
            [show.format(new Date(at)), { volume, count, succeeded, failed }] as const,
        )
        assert.deepEqual(
          new Map(reportedDays.filter(([, bar]) => bar.count > 0)),
          new Map([...days].toSorted(([a], [b]) => (a < b ? -1 : 1))),
          `${from} to ${to}`,
        )
      }
    }
    await setZone('Europe/Podgorica')
  })
}

test('on the day when clocks go back, the repeated hour has two bars, and the bars add up to the total', async () => {
  const project = await newProject()
  await insertPayments(deps, project, [
    { createdAt: '2026-10-25T00:30:00Z', amount: 100 }, // 02:30, for the first time
    { createdAt: '2026-10-25T01:30:00Z', amount: 200 }, // 02:30, the second time
    { createdAt: '2026-10-25T01:59:59.999Z', amount: 400 },
  ])
  const { bucket, series, volume } = await readStats(project, {
    from: '2026-10-24T22:00:00Z',
    to: '2026-10-25T23:00:00Z',
  })
  assert.equal(bucket, 'hour')
  assert.equal(volume, '700')
  assert.equal(series.length, 25)
  assert.deepEqual(
    series.filter((bar) => bar.count > 0).map((bar) => [bar.at, bar.volume]),
    [
      ['2026-10-25T00:00:00.000Z', '100'],
      ['2026-10-25T01:00:00.000Z', '600'],
    ],
  )
})

test('the beginning belongs to the range, the end does not; an empty range has zeros and no bars', async () => {
  const project = await newProject()
  await insertPayments(deps, project, [{ createdAt: '2026-11-10T10:07:00Z' }])
  const countIn = async (from: string, to: string) => (await readStats(project, { from, to })).count
  assert.equal(await countIn('2026-11-10T10:07:00Z', '2026-11-10T10:07:00.001Z'), 1)
  assert.equal(await countIn('2026-11-10T10:00:00Z', '2026-11-10T10:07:00Z'), 0)
  assert.equal(await countIn('2026-11-10T10:07:00.001Z', '2026-11-10T11:00:00Z'), 0)
  const { series, count, successRate } = await readStats(project, {
    from: '2026-11-10T10:07:00Z',
    to: '2026-11-10T10:07:00Z',
  })
  assert.deepEqual({ series, count, successRate }, { series: [], count: 0, successRate: null })
})

const refused: [name: string, query: Record<string, string>, path: string, code: string][] = [
  ['with a text that is not a time', { from: 'yesterday' }, 'from', 'invalid_time'],
  ['with a time without a zone', { to: '2026-11-10T10:00:00' }, 'to', 'invalid_time'],
  [
    'that ends before it begins',
    { from: '2026-11-10T10:00:00Z', to: '2026-11-09T10:00:00Z' },
    'to',
    'ends_before_it_begins',
  ],
  [
    'of more than 92 days',
    { from: '2026-01-01T00:00:00Z', to: '2026-05-01T00:00:00Z' },
    'from',
    'range_too_long',
  ],
  [
    'before the year 2000',
    { from: '1970-01-01T00:00:00Z', to: '1970-01-02T00:00:00Z' },
    'to',
    'invalid_time',
  ],
  ['in an unknown mode', { mode: 'both' }, 'mode', 'not_one_of'],
  ['with an unknown field', { bucket: 'hour' }, 'bucket', 'unknown_field'],
]
for (const [name, query, path, code] of refused) {
  test(`stats of a range ${name} are refused with 400, and the error names the field`, async () => {
    const response = await getStats(await newProject(), query)
    assert.equal(response.status, 400, response.text)
    const { errors } = response.json<{ errors: { path: string; code: string; message: string }[] }>()
    assert.deepEqual(
      errors.map((error) => [error.path, error.code]),
      [[path, code]],
    )
    assert.ok(errors[0]!.message.length > 10)
  })
}

test('the stats of an unknown project or of another owner’s project are not found, and stats require a session', async () => {
  const project = await newProject()
  assert.equal((await getStats(project, {}, stranger)).code, 'not_found')
  assert.equal((await getStats('nosuchproject', {}, owner)).code, 'not_found')
  const response = await app.inject(`/portal/api/projects/${project}/stats`)
  assert.equal(response.statusCode, 401)
})
