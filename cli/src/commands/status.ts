import type { OrderVerdict, TransactionDetails, TransactionView } from '@pazar/contract'
import { toOrderVerdict } from '@pazar/contract/order-verdict'
import type { Command } from '../command.ts'
import { requireMode } from '../values.ts'
import { span } from '../terminal.ts'
import type { Role } from '../terminal.ts'
import type { Session } from '../session.ts'

interface OwnerStatus {
  readonly found: boolean
  readonly state: TransactionView['state'] | null
  readonly successful: boolean
  /** An earlier release of the service sends neither transactionId nor needsReview. */
  readonly transactionId?: string | null
  readonly needsReview?: boolean
}

/** Only an order that can be shipped is green. */
const ROLES: Record<OrderVerdict, Role> = {
  paid: 'good',
  paidInReview: 'strong',
  refunding: 'strong',
  partlyRefunded: 'strong',
  refunded: 'bad',
  disputed: 'bad',
  disputeLost: 'bad',
  notPaidYet: 'strong',
  notPaid: 'bad',
}

/** `successful` stays true after a refund and in a dispute, so this function also reads the payment. */
async function readVerdict(session: Session, status: OwnerStatus): Promise<OrderVerdict> {
  const { successful, transactionId = null } = status
  if (!successful || transactionId === null) return toOrderVerdict(status)
  const projectId = await session.requireProjectId()
  const details = await session
    .api()
    .post<TransactionDetails>('/sdk/transaction/get', { projectId, transactionId })
  return toOrderVerdict(details.transaction, details)
}

export const status: Command = {
  name: 'status',
  args: ['<customId>'],
  options: { mode: { value: 'live|test' } },
  example: 'pazar-cli status order-7 --mode test',
  async run(invocation) {
    const { words, args, catalogue, session } = invocation
    const [customId = ''] = args
    const mode = requireMode(words, invocation.optionValue('mode') ?? 'live')
    const path = await session.pathOf('status-check')
    const answer = await session.api().post<OwnerStatus>(path, { customId, mode })
    const verdict = await readVerdict(session, answer)
    const { states, review } = catalogue.portal.payments
    const state = answer.state === null ? words.status.unknown : states[answer.state]
    const shown = answer.needsReview ? review.inReview : state
    return {
      json: { customId, mode, ...answer, verdict },
      lines: [[`${customId}: `, span(ROLES[verdict], words.status.verdicts[verdict]), ` (${shown})`]],
    }
  },
}
