import type { CallbackEventName, Mode } from '@pazar/contract'

export interface RequestFacts {
  event: CallbackEventName | null
  mode: Mode | null
  amount: string | null
  currency: string | null
  customId: string | null
}

export function readFacts(body: string): RequestFacts {
  const fields = JSON.parse(body) as Partial<RequestFacts>
  const { event = null, mode = null, amount = null, currency = null, customId = null } = fields
  return { event, mode, amount, currency, customId }
}
