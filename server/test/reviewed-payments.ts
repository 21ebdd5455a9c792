// Puts payments into review: the upstream reports a charge for a payment that has ended without one.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { findPayment } from '../src/payments/payments-store.ts'
import { recordReport } from '../src/payments/record-report.ts'
import type { Deps } from '../src/wire.ts'
import { rows } from './accounts.ts'
import type { Payer, PayerPage, PayProject } from './payer.ts'
import { toLink } from './payer.ts'

export async function listPaymentIds({ db }: Pick<Deps, 'db'>, data: string): Promise<string[]> {
  const sql = 'select id from transactions where data = $1 order by id'
  return (await rows<{ id: string }>(db, sql, [data])).map(({ id }) => id)
}

export async function reportCharge(deps: Deps, id: string, chargeId = `ch_${id}`): Promise<void> {
  const payment = (await findPayment(deps.db, id))!
  const { amount, currency } = payment
  const charge = { projectId: null, chargeId, failureCode: null, actionUrl: null }
  await recordReport(deps, payment, { id, status: 'succeeded', amount, currency, ...charge })
}

export interface DeclinedAttempts {
  link: string
  data: string
  /** The page of the link, then the page after each declined payment. Each page has a form. */
  pages: PayerPage[]
  ids: string[]
}

export async function makeDeclinedAttempts(
  deps: Deps,
  shop: PayProject,
  payer: Payer,
  times: number,
  fields: Parameters<typeof toLink>[1],
): Promise<DeclinedAttempts> {
  const data = randomUUID()
  const link = toLink(shop, { amount: '4000', data, ...fields })
  const pages = [await payer.open(link)]
  for (let n = 0; n < times; n += 1) pages.push(await payer.press(pages.at(-1)!))
  const ids = await listPaymentIds(deps, data)
  assert.equal(ids.length, times)
  return { link, data, pages, ids }
}
