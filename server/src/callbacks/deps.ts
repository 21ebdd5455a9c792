import type { ProjectDeps } from '../projects/deps.ts'
import type { Lane } from './lanes.ts'
import type { ResponseCounter } from './count-responses.ts'
import type { PublicFetch } from '../egress/public-fetch.ts'

export interface CallbackDeps extends ProjectDeps {
  publicFetch: PublicFetch
  responseCounter: ResponseCounter
  /**
   * Wakes delivery for a waiting callback of this lane: in this process if it serves the lane, otherwise in the other
   * processes.
   */
  wakeDelivery: (lane?: Lane) => void
}
