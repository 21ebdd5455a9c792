// Decides what counts as a difference between our ledger and the upstream's ledger. An entry counts if it moved money: a paid
// payment, a refund that succeeded, or a dispute that is open or lost.

const OBJECTS = ['payment', 'refund', 'dispute'] as const
export type LedgerObject = (typeof OBJECTS)[number]

export type Trouble = 'missing_here' | 'missing_there' | 'amount' | 'currency' | 'scale' | 'charged_twice'

export interface Side {
  amount: bigint
  currency: string
  /** Null: the scale is not known. */
  scale: number | null
  state: string
  hasMoved: boolean
}

export interface Difference {
  upstream: string
  object: LedgerObject
  trouble: Trouble
  /** Our id. For disputes and for entries that are not on record here, it is the id that the upstream lists. */
  id: string
  /** The payment of the entry, if it is on record here. */
  transactionId: string | null
  here: string
  there: string
}

export function findTrouble(here: Side | null, there: Side | null): Exclude<Trouble, 'charged_twice'> | null {
  if (!here?.hasMoved) return there?.hasMoved ? 'missing_here' : null
  if (!there?.hasMoved) return 'missing_there'
  if (here.currency !== there.currency) return 'currency'
  if (here.scale !== null && there.scale !== null && here.scale !== there.scale) return 'scale'
  return here.amount === there.amount ? null : 'amount'
}

export function toText(side: Side | null): string {
  if (!side) return 'nothing'
  const scale = side.scale === null ? '' : ` with ${side.scale} decimals`
  return `${side.amount} ${side.currency}${scale}, ${side.state}`
}

/** The same difference gives the same text in every check. */
export function toKey({ upstream, object, trouble, id, here, there }: Difference): string {
  return [upstream, object, trouble, id, here, there].join(' | ')
}
