import type { TransactionView } from '@pazar/contract'
import type { Command } from '../command.ts'
import { requireOneOf } from '../values.ts'
import { span } from '../terminal.ts'
import type { Span } from '../terminal.ts'
import type { Words } from '../words.ts'

interface OwnerStatus {
  readonly found: boolean
  readonly state: TransactionView['state'] | null
  readonly successful: boolean
  /** A service of an earlier release does not send it. */
  readonly needsReview?: boolean
}

/** An order whose payment can still succeed is not called unpaid, because the merchant would ask for the money again. */
function toVerdict({ state, successful, needsReview = false }: OwnerStatus, words: Words): Span {
  const { paid, paidSoFar, notPaid, notPaidYet } = words.status
  if (successful) return needsReview ? span('strong', paidSoFar) : span('good', paid)
  const isOpen = needsReview || state === 'processing' || state === 'requires_action'
  return isOpen ? span('strong', notPaidYet) : span('bad', notPaid)
}

export const status: Command = {
  name: 'status',
  args: ['<customId>'],
  options: { mode: { value: 'live|test' } },
  example: 'pazar-cli status order-7 --mode test',
  async run(invocation) {
    const { words, args, catalogue, session } = invocation
    const [customId = ''] = args
    const mode = requireOneOf({ words, name: '--mode', value: invocation.optionValue('mode') ?? 'live' }, [
      'live',
      'test',
    ])
    const path = await session.pathOf('status-check')
    const answer = await session.api().post<OwnerStatus>(path, { customId, mode })
    const { states, review } = catalogue.portal.payments
    const state = answer.state === null ? words.status.unknown : states[answer.state]
    const shown = answer.needsReview ? review.inReview : state
    return {
      json: { customId, mode, ...answer },
      lines: [[`${customId}: `, toVerdict(answer, words), ` (${shown})`]],
    }
  },
}
