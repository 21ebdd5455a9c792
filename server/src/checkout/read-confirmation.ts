// GET /pay/successful shows only what is in its URL, which anybody could have written. The linked receipt shows the real
// state.
import { paySuccessfulAnswer, TRANSACTION_ID_PATTERN } from '@pazar/contract'
import type { Query } from '../http/query.ts'
import type { PayOutcome } from './pay-outcome.ts'

export function readConfirmation(query: Query): PayOutcome<'confirmation'> {
  const one = (name: string) => query.all(name)[0]
  const { data: status = 'success' } = paySuccessfulAnswer.shape.status.safeParse(one('status'))
  const id = one('transactionId') ?? ''
  const urlOutcome = TRANSACTION_ID_PATTERN.test(id) ? { status, transactionId: id } : { status }
  return { kind: 'confirmation', urlOutcome, mode: one('mode') === 'test' ? 'test' : null }
}
