import type { Installation } from '../db/installation-store.ts'
import type { RestoreGate } from '../db/gate-view.ts'
import type { LoopHealth } from '../lib/loop-health.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { Spans } from '../lib/spans.ts'
import type { FactorSecrets } from './factor-secrets.ts'
import type { MailDeps } from './mail/deps.ts'
import type { Passwords } from './passwords.ts'

export interface AccountDeps extends MailDeps {
  installation: Installation
  /** Closed after a restore or a failover that lost writes. */
  restoreGate: RestoreGate
  metrics: Metrics
  spans: Spans
  loopHealth: LoopHealth
  /** Aborted when the process is to stop. */
  stopRequested: AbortSignal
  passwords: Passwords
  factorSecrets: FactorSecrets
}
