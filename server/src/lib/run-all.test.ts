import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runAll } from './run-all.ts'

test('every job runs, in order, even if an earlier job fails', async () => {
  const done: string[] = []
  const first = new Error('the first')
  const fail = async (error: Error) => {
    throw error
  }
  await runAll([async () => done.push('a'), async () => done.push('b')])
  await assert.rejects(runAll([() => fail(first), async () => done.push('c')]), (error) => error === first)
  await assert.rejects(
    runAll([() => fail(first), async () => done.push('d'), () => fail(new Error('the last'))]),
    (error) => error instanceof AggregateError && error.errors.length === 2 && error.errors[0] === first,
  )
  assert.deepEqual(done, ['a', 'b', 'c', 'd'])
})
