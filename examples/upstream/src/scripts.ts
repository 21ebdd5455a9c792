// The amount of a payment or a refund decides how it ends. Payments of 4000 to 4008 end as in Pazar's sandbox.
export type Status = 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'cancelled'

export interface Script {
  /** The first status of the payment in this upstream's ledger. Null: the ledger gets no entry. */
  status: Status | null
  failureCode?: string
  /** The response to the caller, which may differ from the ledger. */
  answer:
    | 'payment'
    | 'nothing'
    | 'error_500'
    | 'html_502'
    | 'garbage'
    | 'cut_off'
    | 'other_amount'
    | 'other_currency'
    | 'other_id'
  /** How many webhooks report the result of a payment that ends immediately. By default one. */
  webhooks?: number
  /** The webhook arrives before the response. */
  webhookFirst?: boolean
  /** The payer is charged twice, as if the idempotency key were ignored. */
  chargesTwice?: boolean
  /** The payer disputes the payment a few seconds after its success. */
  isDisputed?: boolean
  /** How long the payment stays processing. By default half a second. */
  processingMs?: number
}

/** How a refund ends. The amount of the refund selects the script. */
export interface RefundScript {
  status: 'processing' | 'succeeded' | 'failed' | null
  answer: 'refund' | 'nothing' | 'error_500' | 'other_amount'
  webhookFirst?: boolean
  /** Half a second later, the refunded money comes back to the merchant. */
  isReturned?: boolean
}

export const REFUNDED: RefundScript = { status: 'succeeded', answer: 'refund' }

export const REFUND_SCRIPTS: ReadonlyMap<string, RefundScript> = new Map<string, RefundScript>([
  ['4000', { status: 'failed', answer: 'refund' }],
  ['4002', { status: 'succeeded', answer: 'nothing' }],
  ['4003', { status: null, answer: 'nothing' }],
  ['4005', { status: 'succeeded', answer: 'error_500' }],
  ['4009', { status: 'succeeded', answer: 'refund', isReturned: true }],
  ['4013', { status: 'succeeded', answer: 'other_amount' }],
  ['4016', { status: 'processing', answer: 'refund' }],
  ['4018', { status: 'succeeded', answer: 'refund', webhookFirst: true }],
])

export const SUCCESS: Script = { status: 'succeeded', answer: 'payment' }

export const SCRIPTS: ReadonlyMap<string, Script> = new Map<string, Script>([
  ['4000', { status: 'failed', failureCode: 'declined', answer: 'payment' }],
  ['4001', { status: 'failed', failureCode: 'insufficient_funds', answer: 'payment' }],
  ['4002', { status: 'succeeded', answer: 'nothing' }],
  ['4003', { status: null, answer: 'nothing' }],
  ['4004', { status: 'requires_action', answer: 'payment' }],
  ['4005', { status: 'succeeded', answer: 'error_500' }],
  ['4006', { status: 'failed', failureCode: 'kyc_required', answer: 'payment' }],
  ['4007', { status: 'succeeded', answer: 'payment', isDisputed: true }],
  ['4008', { status: 'processing', answer: 'payment', processingMs: 20_000 }],
  ['4010', { status: 'succeeded', answer: 'html_502' }],
  ['4011', { status: 'succeeded', answer: 'garbage' }],
  ['4012', { status: 'succeeded', answer: 'cut_off' }],
  ['4013', { status: 'succeeded', answer: 'other_amount' }],
  ['4014', { status: 'succeeded', answer: 'other_currency' }],
  ['4015', { status: 'succeeded', answer: 'other_id' }],
  ['4016', { status: 'processing', answer: 'payment' }],
  ['4017', { status: 'succeeded', answer: 'payment', webhooks: 5 }],
  ['4018', { status: 'succeeded', answer: 'payment', webhookFirst: true }],
  ['4019', { status: 'succeeded', answer: 'payment', chargesTwice: true }],
])
