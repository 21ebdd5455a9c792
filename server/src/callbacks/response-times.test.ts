import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addCounts,
  countSteps,
  findPercentileMs,
  NO_RESPONSES,
  STEP_STARTS_MS,
  STEPS,
  toStep,
} from './response-times.ts'

function exactPercentile(durations: readonly number[], share: number): number {
  const sorted = durations.toSorted((a, b) => a - b)
  return sorted[Math.max(1, Math.ceil(sorted.length * share)) - 1]!
}

test('a duration is counted in the step that starts at or before it and ends after it', () => {
  assert.equal(STEPS, 96)
  for (let ms = 0; ms <= 20_000; ms += 1) {
    const step = toStep(ms)
    assert.ok(STEP_STARTS_MS[step]! <= ms)
    assert.ok(step === STEPS - 1 || STEP_STARTS_MS[step + 1]! > ms)
  }
  assert.equal(toStep(-1), 0)
})

test('each step except the last is one millisecond wide, or its width is at most an eighth of the time at which it starts', () => {
  for (let step = 0; step < STEPS - 1; step += 1) {
    const width = STEP_STARTS_MS[step + 1]! - STEP_STARTS_MS[step]!
    assert.ok(width >= 1 && width <= Math.max(1, STEP_STARTS_MS[step]! / 8), String(step))
  }
  assert.ok(STEP_STARTS_MS.at(-1)! > 15_000, 'an attempt ends after 15 s')
})

test('reported percentiles are in the same step as the exact ones', () => {
  for (let round = 0; round < 300; round += 1) {
    const count = 1 + ((round * 37) % 400)
    const scale = [3, 40, 900, 14_000][round % 4]!
    const durations = Array.from({ length: count }, () => Math.floor(Math.random() ** 3 * scale))
    const counts = countSteps(durations)
    for (const share of [0.5, 0.95]) {
      const reported = findPercentileMs(counts, share)!
      const exact = exactPercentile(durations, share)
      assert.equal(toStep(reported), toStep(exact), `${reported} for ${exact} of ${durations.join()}`)
    }
  }
})

test('a percentile under 16 ms is exact, and the percentile of no responses is null', () => {
  assert.equal(findPercentileMs(countSteps([7]), 0.5), 7)
  assert.equal(findPercentileMs(countSteps([1, 2, 3, 4]), 0.5), 2)
  assert.equal(findPercentileMs(countSteps([1, 2, 3, 15]), 0.95), 15)
  assert.equal(findPercentileMs(NO_RESPONSES, 0.5), null)
})

test('counts of two intervals add up', () => {
  const [one, other] = [
    [1, 30, 30, 5_000],
    [2, 30, 99_999],
  ]
  assert.deepEqual(addCounts(countSteps(one), countSteps(other)), countSteps([...one, ...other]))
})
