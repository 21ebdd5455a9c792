// The service address and the project come from the options, else from the environment, else from the saved settings.
// The token comes from the environment, else from the saved settings.
import type { Locale } from '@pazar/words'
import { createApi } from './api.ts'
import type { Api } from './api.ts'
import { requireBase, requireToken, removeEndSlashes } from './values.ts'
import { CliError } from './cli-error.ts'
import type { Words } from './words.ts'
import type { Config } from './config-file.ts'
import type { Environment } from './environment.ts'

export interface Project {
  readonly id: string
  readonly name: string
  readonly apiUrl: string
  readonly testApiUrl: string | null
  readonly archivedAt: string | null
}

export interface Session {
  /** Throws if the settings file is invalid. */
  readConfig(): Config
  findBaseUrl(): string | null
  requireBaseUrl(): string
  api(): Api
  apiAs(baseUrl: string, token: string): Api
  listProjects(api?: Api): Promise<Project[]>
  /** The chosen project, or the only active project of the account. */
  requireProjectId(): Promise<string>
  requireProject(): Promise<Project>
  pathOf(route: string): Promise<string>
}

export interface SessionOptions {
  readonly words: Words
  readonly locale: Locale
  readonly readConfig: () => Config
  readonly environment: Environment
  readonly baseUrl: string | undefined
  readonly projectId: string | undefined
  readonly signal: AbortSignal
}

export function createSession(options: SessionOptions): Session {
  const { words, locale, readConfig, environment, signal } = options

  function findBaseUrl(): string | null {
    const url = options.baseUrl ?? environment.baseUrl ?? readConfig().baseUrl
    return url === undefined ? null : requireBase(words, url)
  }

  function requireBaseUrl(): string {
    const baseUrl = findBaseUrl()
    if (baseUrl !== null) return baseUrl
    throw new CliError(words.problems.noBaseUrl, words.next.giveBaseUrl, { code: 'no_base_url' })
  }

  function apiAs(baseUrl: string, token: string): Api {
    if (!isSafe(baseUrl))
      throw new CliError(words.problems.plainHttp, words.next.useHttps, { code: 'plain_http' })
    return createApi({ baseUrl, token, locale, words, signal })
  }

  function api(): Api {
    const baseUrl = requireBaseUrl()
    return apiAs(baseUrl, requireToken(words, environment.token ?? findStoredToken(baseUrl) ?? ''))
  }

  /** The stored token is sent only to the stored address. */
  function findStoredToken(baseUrl: string): string | undefined {
    const config = readConfig()
    return config.baseUrl !== undefined && removeEndSlashes(config.baseUrl) === baseUrl
      ? config.token
      : undefined
  }

  async function listProjects(from: Api = api()): Promise<Project[]> {
    return (await from.post<{ projects: Project[] }>('/sdk/project/list', {})).projects
  }

  async function requireProjectId(): Promise<string> {
    const chosenId = options.projectId ?? environment.projectId ?? readConfig().projectId
    if (chosenId !== undefined) return chosenId
    const [only, ...others] = (await listProjects()).filter((project) => project.archivedAt === null)
    if (only !== undefined && others.length === 0) return only.id
    throw new CliError(words.problems.noProject, words.next.chooseProject, { code: 'no_project' })
  }

  return {
    readConfig,
    findBaseUrl,
    requireBaseUrl,
    api,
    apiAs,
    listProjects,
    requireProjectId,
    async requireProject() {
      return api().post<Project>('/sdk/project/get', { projectId: await requireProjectId() })
    },
    async pathOf(route) {
      return `/portal/api/projects/${encodeURIComponent(await requireProjectId())}/${route}`
    },
  }
}

function isSafe(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}
