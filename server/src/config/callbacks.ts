import type { EnvReader } from './env-reader.ts'

export interface CallbackSettings {
  /** Private addresses (host:port) that callbacks may be sent to; for development. */
  callbackAllowHosts: ReadonlySet<string>
  /** Null: callbacks are sent without a proxy. */
  egressProxy: URL | null
}

function readAllowHosts(read: EnvReader): ReadonlySet<string> {
  const hosts = (read.text('CALLBACK_ALLOW_HOSTS') ?? '').split(',').map((one) => one.trim().toLowerCase())
  const allowHosts = hosts.filter((one) => one !== '')
  for (const host of allowHosts) {
    const port = Number(/^(?:\[[0-9a-f:]+\]|[a-z0-9.-]+):(\d{1,5})$/.exec(host)?.[1] ?? 0)
    if (port < 1 || port > 65_535) {
      read.addProblem('CALLBACK_ALLOW_HOSTS must be a list such as localhost:4000,127.0.0.1:8080.')
    }
  }
  return new Set(allowHosts)
}

export function readCallbacks(read: EnvReader): CallbackSettings {
  return {
    callbackAllowHosts: readAllowHosts(read),
    egressProxy: read.loginUrl('EGRESS_PROXY', ['http:', 'https:']),
  }
}
