import { requireMode, requireWholeNumber } from '../values.ts'
import type { Invocation, Command, Option } from '../command.ts'
import type { OptionName } from '../words.ts'

/** Options shared by `link` and `qr`. */
export const LINK_OPTIONS = {
  amount: { value: '<amount>', required: true },
  data: { value: '<text>' },
  'custom-id': { value: '<id>' },
  mode: { value: 'live|test' },
} as const satisfies Partial<Record<OptionName, Option>>

export function toLinkFields(invocation: Invocation) {
  const { words } = invocation
  return {
    amount: invocation.optionValue('amount'),
    data: invocation.optionValue('data'),
    customId: invocation.optionValue('custom-id'),
    mode: requireMode(words, invocation.optionValue('mode') ?? 'live'),
  }
}

export const link: Command = {
  name: 'link',
  args: [],
  options: { ...LINK_OPTIONS, exp: { value: '<seconds>' } },
  example: 'pazar-cli link --amount 1500 --data "Order 7" --custom-id order-7 --mode test',
  async run(invocation) {
    const { words, session } = invocation
    const exp = invocation.optionValue('exp')
    const body = {
      ...toLinkFields(invocation),
      ...(exp === undefined ? {} : { exp: requireWholeNumber(words, 'exp', exp) }),
    }
    const answer = await session.api().post<{ url: string }>(await session.pathOf('pay-link'), body)
    return { json: answer, lines: [answer.url] }
  },
}
