// A payment for tests of rules that need no database.
import { toDate } from '../src/lib/clock.ts'
import type { Payment } from '../src/payments/payment.ts'

export const PAYMENT: Payment = {
  id: '019a8f0e-6b1c-7c3e-9a51-2f60d4b8e913',
  projectId: 'tz4a98xxat96iws9zmbrgj3a',
  mode: 'live',
  amount: 1500n,
  currency: 'EUR',
  scale: 2,
  customId: null,
  data: null,
  isLinkSigned: false,
  state: 'processing',
  failureCode: null,
  actionUrl: null,
  backend: 'sandbox',
  upstreamAccount: null,
  upstreamRef: null,
  needsReview: false,
  resolution: null,
  resolvedAt: null,
  createdAt: toDate(0),
}
