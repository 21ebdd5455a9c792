import { homedir } from 'node:os'
import path from 'node:path'

export interface Environment {
  readonly token: string | null
  readonly baseUrl: string | null
  readonly projectId: string | null
  readonly configFile: string
  /** The system's locale, such as sr_ME.UTF-8. Empty if it is not set. */
  readonly language: string
  readonly noColor: boolean
}

export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  const read = (name: string) => env[name]?.trim() || null
  const configHome = read('XDG_CONFIG_HOME') ?? read('APPDATA') ?? path.join(homedir(), '.config')
  return {
    token: read('PAZAR_TOKEN'),
    baseUrl: read('PAZAR_BASE_URL'),
    projectId: read('PAZAR_PROJECT_ID'),
    configFile: read('PAZAR_CONFIG') ?? path.join(configHome, 'pazar', 'cli.json'),
    language: read('LC_ALL') ?? read('LC_MESSAGES') ?? read('LANG') ?? '',
    // See https://no-color.org: any non-empty value of NO_COLOR counts.
    noColor: Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb',
  }
}
