// One question to the service. Whatever happens, the answer is either exactly of the promised shape or an ApiError: a
// proxy's page or half an answer must never read as "paid" or "not paid".
import { ApiError } from './errors.ts'

export interface ServiceCall {
  readonly url: string
  readonly body: object
  readonly timeoutMs: number
  readonly fetch: typeof globalThis.fetch
}

export async function askService(call: ServiceCall): Promise<{ successful: boolean }> {
  const { status, text } = await send(call)
  const answer = findObject(text)
  if (status === 200 && typeof answer['successful'] === 'boolean') return { successful: answer['successful'] }
  const code = toText(answer['code'])
  if (status < 400 || code === undefined) {
    throw new ApiError('unexpected_answer', `The answer (HTTP ${status}) is not Pazar's: is baseUrl right?`, {
      status,
    })
  }
  throw new ApiError(code, toText(answer['detail']) ?? code, {
    status,
    requestId: toText(answer['requestId']),
    docsUrl: toText(answer['type']),
  })
}

async function send({ url, body, timeoutMs, fetch }: ServiceCall): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      // Following one would turn the question into a GET, or carry its proof to another host.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.status, text: await response.text() }
  } catch (cause) {
    throw cause instanceof Error && cause.name === 'TimeoutError'
      ? new ApiError('timeout', `Pazar did not answer within ${timeoutMs} ms.`, { cause })
      : new ApiError('unreachable', 'Pazar cannot be reached at baseUrl, or it answered with a redirect.', {
          cause,
        })
  }
}

function findObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {} // Not JSON: what stood there instead is lost, since it may be a page of any length.
  }
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
