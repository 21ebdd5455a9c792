// Calls the service with an API token. An error response becomes a CliError, which says what the user can do next.
import type { Locale } from '@pazar/words'
import { toConnectionError, toRefusal, toUnexpected } from './api-error.ts'
import type { Words } from './words.ts'

export interface ApiOptions {
  readonly timeoutMs?: number
}

export interface Api {
  get<T>(path: string): Promise<T>
  post<T>(path: string, body: object, options?: ApiOptions): Promise<T>
  postForBytes(path: string, body: object): Promise<Uint8Array>
  /** The caller reads the body. */
  openStream(path: string, lastEventId: string | null, signal: AbortSignal): Promise<Response>
}

export interface ApiConnection {
  readonly baseUrl: string
  readonly token: string
  readonly locale: Locale
  readonly words: Words
  readonly signal: AbortSignal
}

// The service may need 15 s for a test callback.
const TIMEOUT_MS = 30_000

export function createApi(connection: ApiConnection): Api {
  const { baseUrl, locale, words } = connection
  const headers = {
    authorization: `Bearer ${connection.token}`,
    accept: 'application/json',
    // Error texts get the language of the command instead of the language of the account.
    cookie: `lang=${locale}`,
    'user-agent': 'pazar-cli',
  }

  async function send<T>(
    path: string,
    init: RequestInit,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    try {
      const response = await fetch(baseUrl + path, {
        ...init,
        headers: { ...headers, ...init.headers },
        redirect: 'manual',
      })
      if (![200, 201, 202].includes(response.status))
        throw await toRefusal(response, { words, locale, baseUrl })
      return await read(response)
    } catch (error) {
      throw toConnectionError(error, words, baseUrl)
    }
  }

  async function readJson<T>(response: Response): Promise<T> {
    const text = await response.text()
    try {
      return JSON.parse(text) as T
    } catch {
      // The text is not JSON. It can be the page of a proxy, for example.
      throw toUnexpected(response.status, words, baseUrl)
    }
  }

  function toPost(body: object, timeoutMs = TIMEOUT_MS): RequestInit {
    return {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.any([connection.signal, AbortSignal.timeout(timeoutMs)]),
    }
  }

  return {
    get: <T>(path: string) =>
      send<T>(
        path,
        { signal: AbortSignal.any([connection.signal, AbortSignal.timeout(TIMEOUT_MS)]) },
        readJson,
      ),
    post: <T>(path: string, body: object, options?: ApiOptions) =>
      send<T>(path, toPost(body, options?.timeoutMs), readJson),
    postForBytes: (path, body) =>
      send(path, toPost(body), async (response) => new Uint8Array(await response.arrayBuffer())),
    openStream(path, lastEventId, signal) {
      const resumeHeaders: Record<string, string> =
        lastEventId === null ? {} : { 'last-event-id': lastEventId }
      const init = { headers: { accept: 'text/event-stream', ...resumeHeaders }, signal }
      return send(path, init, (response) => Promise.resolve(response))
    },
  }
}
