import type { Installation } from '../db/installation-store.ts'
import type { RestoreGate } from '../db/gate-view.ts'
import type { LoopHealth } from '../lib/loop-health.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { Spans } from '../lib/spans.ts'
import type { FactorSecrets } from './factor-secrets.ts'
import type { MailDeps } from './mail/deps.ts'
import type { Passwords } from './passwords.ts'

/** The dependencies of this folder. Folders that import accounts extend it. */
export interface AccountDeps extends MailDeps {
  installation: Installation
  /** It is closed after a restore. Until it is opened, there are no payments, refunds, decisions or deliveries. */
  restoreGate: RestoreGate
  metrics: Metrics
  /** Traces, which are sent to an OpenTelemetry collector if one is configured. */
  spans: Spans
  loopHealth: LoopHealth
  /** Aborted when the process is to stop. */
  stopRequested: AbortSignal
  passwords: Passwords
  factorSecrets: FactorSecrets
}
