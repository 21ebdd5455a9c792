import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NoConnectionError } from './connection.ts'
import { createSlots } from './slots.ts'

test('callers get the freed slots in the order in which they came', async () => {
  const slots = createSlots(2, 10_000)
  await Promise.all([slots.take(), slots.take()])
  const served: number[] = []
  const waiting = [1, 2, 3].map((nth) => slots.take().then(() => served.push(nth)))
  assert.equal(slots.countWaiting(), 3)
  slots.free()
  await waiting[0]
  assert.deepEqual(served, [1])
  slots.free()
  slots.free()
  await Promise.all(waiting)
  assert.deepEqual(served, [1, 2, 3])
  assert.equal(slots.countWaiting(), 0)
  slots.free()
  slots.free()
  await Promise.all([slots.take(), slots.take()])
})

test('a caller that waits too long is refused, and the slot that is freed later is for the next caller', async () => {
  const slots = createSlots(1, 60)
  await slots.take()
  await assert.rejects(slots.take(), NoConnectionError)
  assert.equal(slots.countWaiting(), 0)
  slots.free()
  await slots.take()
})
