// In the sandbox the amount decides how a payment ends, so each price shows a different case.
export type GoodId =
  | 'coffee'
  | 'padlock'
  | 'wallet'
  | 'pigeon'
  | 'bottle'
  | 'piggyBank'
  | 'jug'
  | 'passport'
  | 'vase'
  | 'snail'

export interface Good {
  readonly id: GoodId
  /** Cents as decimal digits, as in Pazar's API. */
  readonly amount: string
}

export type Ending = 'paid' | 'unpaid' | 'later'

export const goodsByEnding: Readonly<Record<Ending, readonly Good[]>> = {
  paid: [
    { id: 'coffee', amount: '1500' },
    { id: 'jug', amount: '4005' },
    { id: 'vase', amount: '4007' },
  ],
  unpaid: [
    { id: 'padlock', amount: '4000' },
    { id: 'wallet', amount: '4001' },
    { id: 'passport', amount: '4006' },
  ],
  later: [
    { id: 'piggyBank', amount: '4004' },
    { id: 'pigeon', amount: '4002' },
    { id: 'bottle', amount: '4003' },
    { id: 'snail', amount: '4008' },
  ],
}

export const goods: readonly Good[] = Object.values(goodsByEnding).flat()

export const CURRENCY = 'EUR'
export const CURRENCY_SCALE = 2
