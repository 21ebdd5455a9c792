// Reads single settings. Each invalid setting adds a sentence to `problems`, so that one failed start reports all of them.
export type Env = Readonly<Record<string, string | undefined>>

export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** Matches a value that contains a second setting, such as `stripe STRIPE_SECRET_KEY=…`. */
const SECOND_SETTING = /^(\S*)\s+(?:[^=]*\s)?([A-Z][A-Z0-9_]{2,})=/

export class EnvReader {
  readonly problems: string[] = []
  readonly #env: Env
  constructor(env: Env) {
    this.#env = env
  }

  text(name: string): string | null {
    const value = this.#env[name]?.trim()
    if (!value) return null
    const [, first, second] = SECOND_SETTING.exec(value) ?? []
    if (first === undefined || second === undefined) return value
    // The sentence does not contain the value, which may be a secret.
    this.addProblem(`${name}: its line also sets ${second}. Every setting needs a line of its own.`)
    return first
  }

  names(prefix: string): string[] {
    return Object.keys(this.#env).filter((name) => name.startsWith(prefix))
  }

  mailbox(name: string): string | null {
    const value = this.text(name)
    if (value === null || /^(?:[^<>\r\n]*<)?[^\s<>@]+@[^\s<>@]+>?$/.test(value)) return value
    this.addProblem(`${name} must be an e-mail address, alone or as Name <address>.`)
    return null
  }

  addProblem(sentence: string): void {
    if (!this.problems.includes(sentence)) this.problems.push(sentence)
  }

  oneOf<T extends string>(name: string, choices: readonly T[], fallback: T): T {
    const value = this.text(name) ?? fallback
    const choice = choices.find((one) => one === value)
    if (!choice) this.addProblem(`${name} must be one of ${choices.join(', ')}.`)
    return choice ?? fallback
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.text(name)?.toLowerCase() ?? String(fallback)
    if (['true', 'on', '1', 'yes'].includes(value)) return true
    if (!['false', 'off', '0', 'no'].includes(value))
      this.addProblem(`${name} must be on or off (or true or false).`)
    return false
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const value = this.text(name)
    if (value === null) return fallback
    const parsed = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (parsed >= min && parsed <= max) return parsed
    this.addProblem(`${name} must be a whole number from ${min} to ${max}.`)
    return fallback
  }

  key(name: string): Buffer | null {
    const value = this.text(name)
    if (value === null) return null
    const bytes = Buffer.from(value, 'base64')
    const canonical = [bytes.toString('base64'), bytes.toString('base64url')].includes(value)
    if (canonical && bytes.length === 32) return bytes
    this.addProblem(`${name} must be 32 random bytes in base64 (for example from: openssl rand -base64 32).`)
    return null
  }

  url(name: string, protocols: readonly string[]): URL | null {
    const value = this.text(name)
    if (value === null) return null
    const url = URL.canParse(value) ? new URL(value) : null
    if (url && protocols.includes(url.protocol) && (url.host !== '' || url.protocol === 'mailto:')) return url
    this.addProblem(
      `${name} must be an address that starts with ${protocols.map((one) => (one === 'mailto:' ? one : `${one}//`)).join(' or ')}.`,
    )
    return null
  }

  /** Reads a URL to which paths are added. */
  plainUrl(name: string, protocols: readonly string[]): URL | null {
    const url = this.url(name, protocols)
    if (url && (url.search || url.hash || url.username || url.password))
      this.addProblem(`${name} must be a plain address, without user, password, query or fragment.`)
    return url
  }

  /** Reads a URL, and checks that its user and password can be decoded. */
  loginUrl(name: string, protocols: readonly string[]): URL | null {
    const url = this.url(name, protocols)
    try {
      decodeURIComponent(`${url?.username} ${url?.password}`)
      return url
    } catch {
      this.addProblem(
        `${name} has a % in its user or password that is not part of a code such as %40. Write a plain % as %25.`,
      )
      return null
    }
  }
}
