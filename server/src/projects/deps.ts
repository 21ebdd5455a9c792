import type { AccountDeps } from '../accounts/deps.ts'
import type { Queryable } from '../db/pool.ts'
import type { Resolver } from '../lib/resolver.ts'
import type { SecretDeps } from '../secrets/secrets.ts'

export interface ProjectDeps extends AccountDeps, SecretDeps {
  resolver: Resolver
  newProjectId: () => string
  /** Whether callbacks of live payments of this project are still queued. */
  hasLiveQueued: (db: Queryable, projectId: string) => Promise<boolean>
  /** `host:port` pairs that may be called in development although they are private. */
  allowHosts: ReadonlySet<string>
}
