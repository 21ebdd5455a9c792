import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPayments } from '../../test/payments.ts'
import type { Pager } from '../backends/pager.ts'
import { toDate } from '../lib/clock.ts'
import { readList, UncheckableError } from './read-lists.ts'

const { deps } = await startPayments()
const nowMs = deps.clock.nowMs()
const period = { since: toDate(nowMs - 3_600_000), until: toDate(nowMs) }
const backend = deps.backends.test

const read = (list: Pager<number>, itemsMax?: number) => readList(deps, backend, list, period, itemsMax)
/** A list with a new cursor for every page. It ends only with the page for which `isLast` is true. */
const createPager = (items: number[], isLast = (_page: number) => false): Pager<number> => {
  let page = 0
  return async () => ({ items, next: isLast(++page) ? null : `page-${page}` })
}

test('a list is read to its end', async () => {
  assert.deepEqual(await read(createPager([7], (page) => page === 3)), [7, 7, 7])
})

test('an endless list of empty pages is refused, even if the number of items is not limited', async () => {
  await assert.rejects(read(createPager([]), Infinity), UncheckableError)
})

test('a list whose cursor repeats is refused', async () => {
  await assert.rejects(
    read(async () => ({ items: [], next: 'same' }), Infinity),
    UncheckableError,
  )
})

test('a list whose cursors form a cycle is refused, even if the number of items is not limited', async () => {
  const next: Record<string, string> = { '': 'a', a: 'b', b: 'a' }
  let pages = 0
  const list: Pager<number> = async ({ cursor }) => {
    pages += 1
    if (pages > 100) throw new Error('the list is read again and again')
    return { items: [pages], next: next[cursor ?? '']! }
  }
  await assert.rejects(read(list, Infinity), UncheckableError)
  await assert.rejects(read(list, 50), /does not end/)
})

test('a list with more items than allowed is refused', async () => {
  await assert.rejects(read(createPager([1, 2]), 3), /more than 3 entries/)
})
