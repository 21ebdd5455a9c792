// Secrets of a project that does not exist. Requests for unknown projects are checked against these secrets, so that the
// response time does not reveal which projects exist.
import type { Mode } from '@pazar/contract'
import { issueSecret } from './issue.ts'
import type { SecretDeps } from './secrets.ts'
import { sealSecret } from './secrets.ts'
import type { SealedSecret } from './secrets-store.ts'

/** No project can have this id, because ids of projects begin with a letter. */
export const DECOY_PROJECT_ID = '0'
const DECOY_VERSION = 1

export type SealedPair = Readonly<Record<Mode, SealedSecret>>

/** Decoy secrets are random and stored nowhere, so nobody can sign with them. */
export function sealDecoy(deps: SecretDeps): SealedPair {
  const seal = (mode: Mode): SealedSecret => ({
    sealed: sealSecret(deps, DECOY_PROJECT_ID, mode, DECOY_VERSION, issueSecret(mode)),
    version: DECOY_VERSION,
  })
  return { live: seal('live'), test: seal('test') }
}
