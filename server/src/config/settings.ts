import type { FailStep } from '../lib/failpoint.ts'
import type { AccountSettings } from './accounts.ts'
import type { AssistantSettings } from './assistant.ts'
import type { CallbackSettings } from './callbacks.ts'
import type { MailSettings } from './mail.ts'
import type { MoneySettings } from './money.ts'
import type { RateLimitSettings } from './rate-limits.ts'
import type { RetentionSettings } from './retention.ts'
import type { ServerSettings } from './server.ts'
import type { StorageSettings } from './storage.ts'
import type { StripeSettings } from './stripe.ts'
import type { UpstreamSettings } from './upstreams.ts'

export interface Config
  extends
    ServerSettings,
    StorageSettings,
    RetentionSettings,
    MoneySettings,
    UpstreamSettings,
    AccountSettings,
    CallbackSettings,
    MailSettings,
    RateLimitSettings {
  production: boolean
  /** Null: stripe is neither BACKEND nor in BACKENDS_KEPT. */
  stripe: StripeSettings | null
  ai: AssistantSettings | null
  /** Fills an empty installation with a sample account and payments. */
  demo: boolean
  /** The project for test payments on the home page. Null: the project of the demo, if there is one. */
  demoProject: string | null
  /**
   * Whether `npm start` started the service. If so, the service stops when npm has ended, because npm does not forward
   * signals.
   */
  startedByNpm: boolean
  /** For fault tests: the step of a payment or refund at which the process kills itself. */
  failAt: FailStep | null
}
