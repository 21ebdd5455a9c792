import type { ProjectDeps } from '../projects/deps.ts'
import type { AnswerCounter } from './count-responses.ts'
import type { PublicFetch } from '../egress/public-fetch.ts'

export interface CallbackDeps extends ProjectDeps {
  publicFetch: PublicFetch
  answerCounter: AnswerCounter
  /** Tells whoever delivers that a callback is waiting: this process if it does, else the others. */
  wakeDelivery: () => void
}
