import type { TransactionView } from '@pazar/contract'
import type { Command } from '../command.ts'
import { requireOneOf } from '../values.ts'
import { span } from '../terminal.ts'

interface OwnerStatus {
  readonly found: boolean
  readonly state: TransactionView['state'] | null
  readonly successful: boolean
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
    const verdict = answer.successful ? span('good', words.status.paid) : span('bad', words.status.notPaid)
    const state =
      answer.state === null ? words.status.unknown : catalogue.portal.payments.states[answer.state]
    return { json: { customId, mode, ...answer }, lines: [[`${customId}: `, verdict, ` (${state})`]] }
  },
}
