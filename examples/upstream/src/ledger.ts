// The ledger of the reference upstream: a file with one JSON line per change. A line is on disk before the response is sent.
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
  /** Stored for Pazar and returned unchanged. */
  readonly metadata?: unknown
  readonly status: Status
  readonly failureCode: string | null
  readonly chargeId: string | null
  /** Counts the changes of this payment, so that Pazar recognizes a late message. */
  readonly sequence: number
  readonly createdAt: string
}

export interface Charge {
  readonly chargeId: string
  readonly paymentId: string
  readonly amount: string
  readonly currency: string
}

export interface Refund {
  /** The id that Pazar chose, or the bank's own id for a refund that was made at the bank. */
  readonly id: string
  readonly paymentId: string
  readonly amount: string
  readonly currency: string
  readonly status: 'processing' | 'succeeded' | 'failed'
  readonly failureCode: string | null
  readonly metadata?: unknown
  readonly createdAt: string
}

export interface Dispute {
  readonly id: string
  readonly paymentId: string
  readonly amount: string
  readonly currency: string
  readonly status: 'inquiry' | 'open' | 'won' | 'lost'
  readonly reason: string
  readonly respondBy: string
  readonly createdAt: string
}

type Line =
  | { readonly payment: Payment; readonly charge?: Charge }
  | { readonly refund: Refund }
  | { readonly dispute: Dispute }

export interface Ledger {
  find(id: string): Payment | null
  findRefund(id: string): Refund | null
  refundsOf(paymentId: string): Refund[]
  /** Each list is in the order of creation. */
  all(): { payments: Payment[]; charges: Charge[]; refunds: Refund[]; disputes: Dispute[] }
  /** Each call with the status `succeeded` makes a charge. */
  book(payment: Omit<Payment, 'chargeId' | 'sequence' | 'createdAt'>): Payment
  bookRefund(refund: Omit<Refund, 'createdAt'>): Refund
  bookDispute(dispute: Omit<Dispute, 'createdAt'>): Dispute
}

export function openLedger(file: string, nowMs: () => number): Ledger {
  const payments = new Map<string, Payment>()
  const charges: Charge[] = []
  const refunds = new Map<string, Refund>()
  const disputes = new Map<string, Dispute>()
  const fd = openSync(file, 'a+', 0o600)

  function applyLine(line: Line): void {
    if ('refund' in line) {
      refunds.set(line.refund.id, line.refund)
      return
    }
    if ('dispute' in line) {
      disputes.set(line.dispute.id, line.dispute)
      return
    }
    payments.set(line.payment.id, line.payment)
    if (line.charge) charges.push(line.charge)
  }

  function writeLine(line: Line): void {
    writeSync(fd, `${JSON.stringify(line)}\n`)
    fsyncSync(fd)
    applyLine(line)
  }

  const text = readFileSync(file, 'utf8')
  // If the process was killed while it wrote, the last line may be incomplete. Its change was not acknowledged.
  const completeLines = text.slice(0, text.lastIndexOf('\n') + 1)
  ftruncateSync(fd, Buffer.byteLength(completeLines))
  for (const line of completeLines.split('\n').slice(0, -1)) applyLine(JSON.parse(line) as Line)

  const toCreatedAt = (existing: { createdAt: string } | undefined) =>
    existing?.createdAt ?? new Date(nowMs()).toISOString()

  return {
    find: (id) => payments.get(id) ?? null,
    findRefund: (id) => refunds.get(id) ?? null,
    refundsOf: (paymentId) => [...refunds.values()].filter((one) => one.paymentId === paymentId),
    all: () => ({
      payments: [...payments.values()],
      charges: [...charges],
      refunds: [...refunds.values()],
      disputes: [...disputes.values()],
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
      const existing = payments.get(payment.id)
      const sequence = (existing?.sequence ?? 0) + 1
      const createdAt = toCreatedAt(existing)
      const booked = { ...payment, chargeId: charge?.chargeId ?? null, sequence, createdAt }
      writeLine(charge ? { payment: booked, charge } : { payment: booked })
      return booked
    },
    bookRefund(refund) {
      const booked = { ...refund, createdAt: toCreatedAt(refunds.get(refund.id)) }
      writeLine({ refund: booked })
      return booked
    },
    bookDispute(dispute) {
      const booked = { ...dispute, createdAt: toCreatedAt(disputes.get(dispute.id)) }
      writeLine({ dispute: booked })
      return booked
    },
  }
}
