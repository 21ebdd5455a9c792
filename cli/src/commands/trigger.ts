import type { AttemptView, CallbackView } from '@pazar/contract'
import { requireOneOf } from '../values.ts'
import type { Command } from '../command.ts'
import { span } from '../terminal.ts'

/** The amount if `--amount` is omitted, in minor units. */
const AMOUNT = '1500'

const CALLBACKS = {
  success: { status: 'success' },
  fail: { status: 'fail' },
  refund: { event: 'refund.result', status: 'success' },
  dispute: { event: 'dispute.opened', status: 'success' },
  'dispute-won': { event: 'dispute.closed', status: 'success' },
  'dispute-lost': { event: 'dispute.closed', status: 'fail' },
} as const
const KINDS = Object.keys(CALLBACKS) as (keyof typeof CALLBACKS)[]

export const trigger: Command = {
  name: 'trigger',
  args: [KINDS.join('|')],
  options: {
    amount: { value: '<amount>' },
    'custom-id': { value: '<id>' },
    data: { value: '<text>' },
    to: { value: 'listeners|url' },
  },
  example: 'pazar-cli trigger success --amount 1500 --custom-id order-7',
  async run(invocation) {
    const { words, args, session } = invocation
    const [kind = ''] = args
    const body = {
      ...CALLBACKS[requireOneOf({ words, name: 'trigger', value: kind }, KINDS)],
      amount: invocation.optionValue('amount') ?? AMOUNT,
      customId: invocation.optionValue('custom-id'),
      data: invocation.optionValue('data'),
      to: requireOneOf({ words, name: '--to', value: invocation.optionValue('to') ?? 'listeners' }, [
        'listeners',
        'url',
      ]),
    }
    const response = await session
      .api()
      .post<{ callback: CallbackView; attempt: AttemptView }>(await session.pathOf('test-callbacks'), body)
    const { callback, attempt } = response
    const isDelivered = attempt.outcome === 'delivered'
    const { sentToListeners, sentToUrl } = words.done
    return {
      json: response,
      exitsNonZero: !isDelivered,
      lines: isDelivered
        ? [body.to === 'listeners' ? sentToListeners(callback.id) : sentToUrl(callback.id, attempt.url)]
        : [[span('bad', attempt.cause ?? attempt.outcome)], attempt.fix ?? ''],
    }
  },
}
