// Calls of the service with an API token. Every refusal becomes a CliError that says what to do next.
import type { Locale } from '@pazar/words'
import { toRefusal, toUnanswered } from './api-error.ts'
import type { Words } from './words.ts'

export interface ApiOptions {
  readonly timeoutMs?: number
}

export interface Api {
  get<T>(path: string): Promise<T>
  post<T>(path: string, body: object, options?: ApiOptions): Promise<T>
  /** An image, which is no JSON. */
  postForBytes(path: string, body: object): Promise<Uint8Array>
  /** An answer that goes on; the caller reads it. */
  openStream(path: string, lastEventId: string | null, signal: AbortSignal): Promise<Response>
}

export interface ApiFacts {
  readonly baseUrl: string
  readonly token: string
  readonly locale: Locale
  readonly words: Words
  readonly signal: AbortSignal
}

// A test callback may take the service 15 s; everything else is answered at once.
const TIMEOUT_MS = 30_000

export function createApi(facts: ApiFacts): Api {
  const { baseUrl, locale, words } = facts
  const headers = {
    authorization: `Bearer ${facts.token}`,
    accept: 'application/json',
    // The account may have another language than this terminal.
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
      if (response.status !== 200 && response.status !== 202)
        throw await toRefusal(response, { words, locale, baseUrl })
      return await read(response)
    } catch (error) {
      throw toUnanswered(error, words, baseUrl)
    }
  }

  function toPost(body: object, timeoutMs = TIMEOUT_MS): RequestInit {
    return {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.any([facts.signal, AbortSignal.timeout(timeoutMs)]),
    }
  }

  return {
    get: <T>(path: string) =>
      send<T>(path, { signal: AbortSignal.any([facts.signal, AbortSignal.timeout(TIMEOUT_MS)]) }, readJson),
    post: <T>(path: string, body: object, options?: ApiOptions) =>
      send<T>(path, toPost(body, options?.timeoutMs), readJson),
    postForBytes: (path, body) =>
      send(path, toPost(body), async (response) => new Uint8Array(await response.arrayBuffer())),
    openStream(path, lastEventId, signal) {
      const since: Record<string, string> = lastEventId === null ? {} : { 'last-event-id': lastEventId }
      const init = { headers: { accept: 'text/event-stream', ...since }, signal }
      return send(path, init, (response) => Promise.resolve(response))
    },
  }
}

// The service's answers are of the shapes in the contract, which its own tests hold it to.
async function readJson<T>(response: Response): Promise<T> {
  return (await response.json()) as T
}
