import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSlots } from './slots.ts'

test('callers get the freed slots in the order in which they came', async () => {
  const slots = createSlots(2)
  await Promise.all([slots.take().taken, slots.take().taken])
  const served: number[] = []
  const waiting = [1, 2, 3].map((nth) => slots.take().taken.then(() => served.push(nth)))
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
  await Promise.all([slots.take().taken, slots.take().taken])
})

test('a caller that stops waiting gets an error, and the next free slot goes to the next caller', async () => {
  const slots = createSlots(1)
  const first = slots.take()
  await first.taken
  const second = slots.take()
  second.cancel(new Error('too late'))
  await assert.rejects(second.taken, /too late/)
  assert.equal(slots.countWaiting(), 0)
  // A slot that was taken cannot be cancelled.
  first.cancel(new Error('too late'))
  const third = slots.take()
  slots.free()
  await third.taken
})

test('a caller that gives its slot back gets the next free slot before callers that came later', async () => {
  const slots = createSlots(2)
  const [first, second] = [slots.take(), slots.take()]
  const third = slots.take()
  slots.setMax(1)
  let served = ''
  const retaken = second.retake().then(() => (served += 'second '))
  const thirdTaken = third.taken.then(() => (served += 'third '))
  assert.equal(slots.countWaiting(), 2)
  slots.free()
  await retaken
  assert.equal(served, 'second ')
  first.cancel(new Error('the first caller does not wait'))
  const fourth = slots.take()
  fourth.cancel(new Error('too late'))
  await assert.rejects(fourth.taken, /too late/)
  slots.setMax(2)
  await thirdTaken
  assert.equal(slots.countWaiting(), 0)
})

test('a caller that has given its slot back and waits for another slot gets an error when it cancels', async () => {
  const slots = createSlots(1)
  const only = slots.take()
  await only.taken
  slots.setMax(0)
  const retaken = only.retake()
  only.cancel(new Error('too late'))
  await assert.rejects(retaken, /too late/)
  assert.equal(slots.countWaiting(), 0)
})
