// The ledger: one JSON line per change, on disk before the response is sent, and read again at the start. After a kill,
// each change has therefore either happened or not, and the ledger shows which.
import { randomUUID } from 'node:crypto'
import { fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Status } from './scripts.ts'

export interface Payment {
  readonly id: string
  readonly amount: string
  readonly currency: string
  readonly projectId: string | null
  readonly customId: string | null
  readonly returnUrl: string | null
  readonly status: Status
  readonly failureCode: string | null
  readonly chargeId: string | null
  /** Counts the changes of this payment, so that Pazar can distinguish a late message from a new one. */
  readonly sequence: number
}

/** A charge that was really made. */
export interface Charge {
  readonly chargeId: string
  readonly paymentId: string
  readonly amount: string
  readonly currency: string
}

export interface Refund {
  /** Pazar's id, or ours for a refund that was made here. */
  readonly id: string
  readonly paymentId: string
  readonly amount: string
  readonly currency: string
  readonly status: 'processing' | 'succeeded' | 'failed'
  readonly failureCode: string | null
}

/** One change: the payment's new state and, if it was charged, the charge; or the refund's new state. */
type Line = { readonly payment: Payment; readonly charge?: Charge } | { readonly refund: Refund }

export interface Ledger {
  find(id: string): Payment | null
  findRefund(id: string): Refund | null
  refundsOf(paymentId: string): Refund[]
  all(): { payments: Payment[]; charges: Charge[]; refunds: Refund[] }
  /** Records the payment as given. Each record as succeeded is a charge. */
  book(payment: Omit<Payment, 'chargeId' | 'sequence'>): Payment
  bookRefund(refund: Refund): Refund
}

export function openLedger(file: string): Ledger {
  const payments = new Map<string, Payment>()
  const charges: Charge[] = []
  const refunds = new Map<string, Refund>()
  const fd = openSync(file, 'a+', 0o600)

  function apply(line: Line): void {
    if ('refund' in line) {
      refunds.set(line.refund.id, line.refund)
      return
    }
    payments.set(line.payment.id, line.payment)
    if (line.charge) charges.push(line.charge)
  }

  function write(line: Line): void {
    writeSync(fd, `${JSON.stringify(line)}\n`)
    fsyncSync(fd)
    apply(line)
  }

  const text = readFileSync(file, 'utf8')
  // An incomplete last line was interrupted by a kill and never acknowledged.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  ftruncateSync(fd, Buffer.byteLength(whole))
  for (const line of whole.split('\n').slice(0, -1)) apply(JSON.parse(line) as Line)

  return {
    find: (id) => payments.get(id) ?? null,
    findRefund: (id) => refunds.get(id) ?? null,
    refundsOf: (paymentId) => [...refunds.values()].filter((one) => one.paymentId === paymentId),
    all: () => ({
      payments: [...payments.values()],
      charges: [...charges],
      refunds: [...refunds.values()],
    }),
    book(payment) {
      const charge =
        payment.status === 'succeeded'
          ? {
              chargeId: `ch_${randomUUID()}`,
              paymentId: payment.id,
              amount: payment.amount,
              currency: payment.currency,
            }
          : null
      const sequence = (payments.get(payment.id)?.sequence ?? 0) + 1
      const booked = { ...payment, chargeId: charge?.chargeId ?? null, sequence }
      write(charge ? { payment: booked, charge } : { payment: booked })
      return booked
    },
    bookRefund(refund) {
      write({ refund })
      return refund
    },
  }
}
