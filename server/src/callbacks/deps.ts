import type { ProjectDeps } from '../projects/deps.ts'
import type { Lane } from './lanes.ts'
import type { ResponseCounter } from './count-responses.ts'
import type { PublicFetch } from '../egress/public-fetch.ts'

export interface CallbackDeps extends ProjectDeps {
  publicFetch: PublicFetch
  responseCounter: ResponseCounter
  /**
   * Wakes delivery, because a callback of this lane is waiting, or of any lane if none is given. The other processes are
   * notified, unless this process serves the lane.
   */
  wakeDelivery: (lane?: Lane) => void
}
