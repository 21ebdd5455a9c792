import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toShare, toScale } from './chart-scale.ts'

const cases: [highest: bigint, ticks: bigint[]][] = [
  [0n, [0n, 1n]],
  [1n, [0n, 1n]],
  [3n, [0n, 1n, 2n, 3n]],
  [6n, [0n, 2n, 4n, 6n]],
  [120n, [0n, 50n, 100n, 150n]],
  [1_500n, [0n, 500n, 1_000n, 1_500n]],
  [4_100n, [0n, 1_000n, 2_000n, 3_000n, 4_000n, 5_000n]],
]
for (const [highest, ticks] of cases) {
  test(`an axis up to ${highest} has the ticks ${ticks.join(', ')}`, () => {
    assert.deepEqual(toScale(highest).ticks, ticks)
  })
}

test('the highest bar takes at least half of the height, and the axis has two to six ticks', () => {
  for (let highest = 1n; highest < 10n ** 30n; highest = highest * 3n + 1n) {
    const { top, ticks } = toScale(highest)
    assert.ok(top >= highest && top <= 2n * highest, String(highest))
    assert.ok(ticks.length >= 2 && ticks.length <= 6, String(highest))
    assert.equal(ticks.at(-1), top)
  }
})

test('a share is right for sums above Number.MAX_SAFE_INTEGER, and zero for a sum of zero', () => {
  assert.equal(toShare(10n ** 30n, 2n * 10n ** 30n), 0.5)
  assert.equal(toShare(1n, 0n), 0)
})
