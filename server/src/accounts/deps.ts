import type { Installation } from '../db/installation-store.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { MailDeps } from './mail/deps.ts'
import type { Passwords } from './passwords.ts'

/** What accounts need from outside; the folders that import accounts extend it. */
export interface AccountDeps extends MailDeps {
  installation: Installation
  metrics: Metrics
  passwords: Passwords
}
