import type { Backends } from '../backends/backend.ts'
import type { Lane } from '../callbacks/lanes.ts'
import type { Queryable } from '../db/pool.ts'
import type { Failpoint } from '../lib/failpoint.ts'
import type { Limiter } from '../lib/limiter.ts'
import type { LastWrite } from '../lib/last-write.ts'
import type { ProjectDeps } from '../projects/deps.ts'
import type { Payment } from './payment.ts'
import type { UpstreamHealth } from './upstream-health.ts'
import type { ErasedOrders } from './erasure/erased-orders.ts'

export interface PaymentDeps extends ProjectDeps {
  backends: Backends
  /** Wakes the delivery of this lane (one project in one mode), or of all lanes if none is given. */
  wakeDelivery: (lane?: Lane) => void
  openingLimiter: Limiter
  upstreamHealth: UpstreamHealth
  erasedOrders: ErasedOrders
  /**
   * Returns one text for each refund and dispute of a payment. Each text includes the state of the refund or dispute. The
   * function is passed in, because this folder must not import refunds/ and disputes/.
   */
  listMoneyBack: (db: Queryable, payment: Payment) => Promise<string[]>
  /** Remembers the last live payment of this process, to notice if the database loses that payment. */
  lastWrite: LastWrite
  /** Called at each step of charging, settling and refunding; does nothing outside fault tests. */
  failpoint: Failpoint
}
