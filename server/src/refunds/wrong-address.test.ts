// A proxy that has no route to the upstream responds to every request with 404. The upstream may have made the refund anyway.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rows } from '../../test/accounts.ts'
import { countIncidents, refillQuotas, startPayments } from '../../test/payments.ts'
import { plainResponse, startRawServer } from '../../test/raw-server.ts'
import { payFor, readSums, reserveRefund } from '../../test/refunds.ts'
import { createHttpBackend } from '../backends/http.ts'
import { reconcileRefundsOnce } from './reconcile.ts'
import { findRefund } from './refunds-store.ts'

const { deps, projectId } = await startPayments()
const { db } = deps

for (const knowsPayment of [false, true])
  test(`a 404 for a refund of 25 hours ago ${knowsPayment ? 'sets the refund to "failed" if the upstream knows the payment' : 'is ignored if the upstream responds with 404 for the payment too'}`, async (t) => {
    const payment = await payFor(deps, projectId)
    const refund = await reserveRefund(deps, payment, 500n)
    await rows(
      db,
      `update refunds set created_at = now() - interval '25 hours', next_check_at = now() where id = $1`,
      [refund.id],
    )
    await refillQuotas(db)
    const { id, amount, currency } = payment
    const charge = JSON.stringify({ id, status: 'succeeded', amount: amount.toString(), currency })
    const server = await startRawServer(t, (socket, request) => {
      const isFound = knowsPayment && request.startsWith(`GET /payments/${id} `)
      const response = isFound
        ? plainResponse('200 OK', charge)
        : plainResponse('404 Not Found', '<h1>404</h1>')
      response(socket, request)
    })
    const { name, accounts } = deps.backends.live
    const url = `http://127.0.0.1:${server.port}`
    const http = createHttpBackend({ url, secret: 'the-secret-that-both-sides-have-0123', clock: deps.clock })
    const live = { ...http, name, accounts }
    await reconcileRefundsOnce({ ...deps, backends: { live, test: live, previous: [] } })
    assert.equal((await findRefund(db, refund.id))!.state, knowsPayment ? 'failed' : 'processing')
    assert.equal((await readSums(db, id)).processing, knowsPayment ? 0n : 500n)
    assert.equal(await countIncidents(db, 'refund_unresolved', refund.id), knowsPayment ? 0 : 1)
  })
