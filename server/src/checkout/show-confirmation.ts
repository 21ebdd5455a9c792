// GET /pay/successful. It asks nobody and proves nothing: what it says is what its address says, and the receipt behind
// its link is the truth.
import { paySuccessfulAnswer, TRANSACTION_ID_PATTERN } from '@pazar/contract'
import { queryOf } from '../http/server.ts'
import { sendJson, sendPage, toContext } from './answers.ts'
import type { SaidOutcome } from './successful-page.ts'
import { successfulPage } from './successful-page.ts'
import type { Visit } from './visit.ts'

export function showConfirmation(visit: Visit): void {
  const { req, wantsJson } = visit
  const one = (name: string) => queryOf(req).all(name)[0]
  const { data: status = 'success' } = paySuccessfulAnswer.shape.status.safeParse(one('status'))
  const id = one('transactionId') ?? ''
  const said: SaidOutcome = TRANSACTION_ID_PATTERN.test(id) ? { status, transactionId: id } : { status }
  if (wantsJson) return sendJson(visit, said)
  return sendPage(visit, successfulPage(toContext(visit), said), {
    mode: one('mode') === 'test' ? 'test' : null,
  })
}
