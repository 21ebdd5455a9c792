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

/** One change: the payment's new state and, if it was charged, the charge. */
interface Line {
  readonly payment: Payment
  readonly charge?: Charge
}

export interface Ledger {
  find(id: string): Payment | null
  all(): { payments: Payment[]; charges: Charge[] }
  /** Records the payment as given. Each record as succeeded is a charge. */
  book(payment: Omit<Payment, 'chargeId' | 'sequence'>): Payment
}

export function openLedger(file: string): Ledger {
  const payments = new Map<string, Payment>()
  const charges: Charge[] = []
  const fd = openSync(file, 'a+', 0o600)

  function apply({ payment, charge }: Line): void {
    payments.set(payment.id, payment)
    if (charge) charges.push(charge)
  }

  const text = readFileSync(file, 'utf8')
  // An incomplete last line was interrupted by a kill and never acknowledged.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  ftruncateSync(fd, Buffer.byteLength(whole))
  for (const line of whole.split('\n').slice(0, -1)) apply(JSON.parse(line) as Line)

  return {
    find: (id) => payments.get(id) ?? null,
    all: () => ({ payments: [...payments.values()], charges: [...charges] }),
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
      const line: Line = charge ? { payment: booked, charge } : { payment: booked }
      writeSync(fd, `${JSON.stringify(line)}\n`)
      fsyncSync(fd)
      apply(line)
      return booked
    },
  }
}
