import { randomUUID } from 'node:crypto'
import type { RefundView } from '@pazar/contract'
import { formatMoney } from '@pazar/words'
import type { Command } from '../command.ts'
import { span } from '../terminal.ts'

export const refund: Command = {
  name: 'refund',
  args: ['<transactionId>'],
  options: {
    amount: { value: '<amount>' },
    reason: { value: '<text>' },
    key: { value: '<text>' },
  },
  example:
    'pazar-cli refund 019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913 --amount 500 --reason "Sold out" --key order-7-item-2',
  async run(invocation) {
    const { words, args, locale, session, terminal } = invocation
    const [transactionId = ''] = args
    const idempotencyKey = invocation.optionValue('key') ?? randomUUID()
    // If the response is lost, the user needs the key to repeat the request without a second refund.
    if (invocation.optionValue('key') === undefined)
      terminal.printStatus([span('dim', words.refund.key(idempotencyKey))])
    const response = await session.api().post<{ refund: RefundView }>('/sdk/transaction/refund', {
      projectId: await session.requireProjectId(),
      transactionId,
      amount: invocation.optionValue('amount'),
      reason: invocation.optionValue('reason'),
      idempotencyKey,
    })
    const { id, state, amount, currency, scale } = response.refund
    const isFailed = state === 'failed' || state === 'returned'
    const stateText = span(isFailed ? 'bad' : 'good', words.refund.states[state])
    return {
      json: response,
      exitsNonZero: isFailed,
      lines: [[`${id}: ${formatMoney(locale, BigInt(amount), currency, scale)} `, stateText]],
    }
  },
}
