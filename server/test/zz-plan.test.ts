import { test } from 'node:test'
import pg from 'pg'
import { addCallbackShop, queueCallbacks } from './deliveries.ts'
import { startPayments } from './payments.ts'
import { rows } from './accounts.ts'
import * as claimStore from '../src/callbacks/claim-store.ts'
import * as flushStore from '../src/callbacks/flush-store.ts'
const { deps, databaseUrl } = await startPayments()
test('plan', async () => {
  for (const n of [1, 20]) {
    await rows(deps.db, 'truncate callbacks, callback_lanes cascade')
    const ps = await Promise.all(Array.from({ length: n }, () => addCallbackShop(deps, 'https://shop.example.com/x')))
    for (const p of ps) await queueCallbacks(deps.db, p, 6000 / n)
    await rows(deps.db, 'analyze callbacks')
    let claim: any, record: any
    const spy = { query: async (what: any, values: any) => { if (what.name === 'callbacks.claim') claim = { what, values }; else record = { what, values }; return deps.db.query(what, values) } } as any
    const c = new pg.Client({ connectionString: databaseUrl }); await c.connect()
    const t0 = performance.now()
    const got = await claimStore.claimCallbacks(spy, 128, null, [])
    console.log(n, 'first claim', performance.now() - t0, got.claimed.length)
    for (let i = 0; i < 3; i++) {
      const t = performance.now(); await claimStore.claimCallbacks(spy, 16, null, []); console.log('claim', performance.now() - t)
    }
    await c.query('begin')
    const ex = await c.query('explain (analyze, buffers, timing on) ' + claim.what.text, claim.values)
    await c.query('rollback')
    const lines = ex.rows.map((r: any) => r['QUERY PLAN'])
    console.log(lines.filter((l: string) => /CTE|Planning|Execution|actual time=\d+\.\d+\.\.\d{1,}\.\d+ rows/.test(l)).join('\n'))
    const { toFence } = claimStore
    const recs = got.claimed.slice(0, 40).map((x) => ({ ...toFence(x), url: 'u', remoteIp: null, startedMs: performance.now(), durationMs: 3, outcome: 'delivered' as const, statusCode: 200, error: null, excerpt: 'ok', bodySha256: Buffer.alloc(32), next: { status: 'delivered' as const }, counts: true }))
    const t = performance.now(); await flushStore.recordAttempts(spy, recs.slice(0, 20)); console.log('record', performance.now() - t)
    const t2 = performance.now(); await flushStore.recordAttempts(spy, recs.slice(20, 30)); console.log('record', performance.now() - t2)
    await flushStore.recordAttempts({ query: async (w: any, v: any) => { record = { what: w, values: v }; return [] } } as any, recs.slice(30))
    await c.query('begin')
    const ex2 = await c.query('explain (analyze, buffers) ' + record.what.text, record.values)
    await c.query('rollback')
    console.log(ex2.rows.map((r: any) => r['QUERY PLAN']).filter((l: string) => /CTE|Planning|Execution|Trigger|actual/.test(l)).join('\n'))
    await c.end()
  }
})
