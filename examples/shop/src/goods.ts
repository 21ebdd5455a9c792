// What the shop sells. In the sandbox the amount decides how a payment ends, so each price here shows a different result.
export interface Good {
  readonly id: GoodId
  /** Whole cents as decimal digits, as in Pazar's API. */
  readonly amount: string
}

export type GoodId = 'coffee' | 'padlock' | 'wallet' | 'pigeon' | 'bottle' | 'piggyBank' | 'jug' | 'passport'

export const goods: readonly Good[] = [
  { id: 'coffee', amount: '1500' },
  { id: 'padlock', amount: '4000' },
  { id: 'wallet', amount: '4001' },
  { id: 'pigeon', amount: '4002' },
  { id: 'bottle', amount: '4003' },
  { id: 'piggyBank', amount: '4004' },
  { id: 'jug', amount: '4005' },
  { id: 'passport', amount: '4006' },
]

export const CURRENCY = 'EUR'
export const CURRENCY_SCALE = 2
