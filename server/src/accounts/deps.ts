import type { Installation } from '../db/installation-store.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { MailDeps } from './mail/deps.ts'
import type { Passwords } from './passwords.ts'

/** The dependencies of this folder. Folders that import accounts extend it. */
export interface AccountDeps extends MailDeps {
  installation: Installation
  metrics: Metrics
  passwords: Passwords
}
