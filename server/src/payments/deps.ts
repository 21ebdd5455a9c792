import type { Backends } from '../backends/backend.ts'
import type { Failpoint } from '../lib/failpoint.ts'
import type { Gate } from '../lib/gate.ts'
import type { ProjectDeps } from '../projects/deps.ts'
import type { UpstreamHealth } from './upstream-health.ts'
import type { ErasedOrders } from './erasure/erased-orders.ts'

export interface PaymentDeps extends ProjectDeps {
  backends: Backends
  /** Tells the delivery loop of this process that a callback is waiting; others find it by polling. */
  wakeDelivery: () => void
  /** Payers who wait for a locked order leave connections to everybody else. */
  openingGate: Gate
  /** What became of the latest requests to each upstream. */
  upstreamHealth: UpstreamHealth
  /** Orders whose customId is erased, by its hash. */
  erasedOrders: ErasedOrders
  /** Passed at each step of the money path; does nothing outside fault tests. */
  failpoint: Failpoint
}
