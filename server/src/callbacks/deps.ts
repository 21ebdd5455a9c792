import type { ProjectDeps } from '../projects/deps.ts'
import type { Lane } from './lanes.ts'
import type { ResponseCounter } from './count-responses.ts'
import type { PublicFetch } from '../egress/public-fetch.ts'

export interface CallbackDeps extends ProjectDeps {
  publicFetch: PublicFetch
  responseCounter: ResponseCounter
  /**
   * Wakes delivery, because a callback is waiting in this lane, or in any lane if none is given. Other processes are
   * notified, unless this process serves the lane.
   */
  wakeDelivery: (lane?: Lane) => void
}
