import type { ProjectDeps } from '../projects/deps.ts'
import type { Lane } from './lanes.ts'
import type { ResponseCounter } from './count-responses.ts'
import type { PublicFetch } from '../egress/public-fetch.ts'

export interface CallbackDeps extends ProjectDeps {
  publicFetch: PublicFetch
  responseCounter: ResponseCounter
  /** Wakes the process that serves the lane. Call it without a lane if any lane may have something due. */
  wakeDelivery: (lane?: Lane) => void
}
