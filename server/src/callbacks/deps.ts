import type { ProjectDeps } from '../projects/deps.ts'
import type { ResponseCounter } from './count-responses.ts'
import type { PublicFetch } from '../egress/public-fetch.ts'

export interface CallbackDeps extends ProjectDeps {
  publicFetch: PublicFetch
  responseCounter: ResponseCounter
  /** Wakes delivery for a waiting callback: in this process if it delivers, else in the others. */
  wakeDelivery: () => void
}
