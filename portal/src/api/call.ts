// The one way to the service. A lost session or a missing step-up is asked for over the page, and then the very same call
// is made again; everything else that is refused is thrown as an ApiError.
import type { Problem } from '@pazar/contract'
import { rememberLanguage } from '../app/language.ts'
import { ApiError, GivenUp } from './api-error.ts'
import { passGate } from './gates.ts'
import type { Gate } from './gates.ts'

export interface CallOptions {
  signal?: AbortSignal
  /** False for the calls that the dialogs themselves make. */
  gated?: boolean
}

async function send(path: string, body: unknown, signal: AbortSignal | undefined): Promise<Response> {
  rememberLanguage()
  const post = body !== undefined
  try {
    return await fetch(path, {
      method: post ? 'POST' : 'GET',
      headers: { accept: 'application/json', ...(post ? { 'content-type': 'application/json' } : {}) },
      ...(post ? { body: JSON.stringify(body) } : {}),
      ...(signal ? { signal } : {}),
      credentials: 'same-origin',
      cache: 'no-store',
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(null)
  }
}

async function toApiError(answer: Response): Promise<ApiError> {
  const retryAfter = Number(answer.headers.get('retry-after'))
  const isProblem = answer.headers.get('content-type')?.startsWith('application/problem+json') ?? false
  const problem = isProblem ? ((await answer.json()) as Problem) : null
  return new ApiError(problem, retryAfter > 0 ? retryAfter : null, true)
}

const GATES: Partial<Record<string, Gate>> = { unauthenticated: 'sign-in', step_up_required: 'step-up' }

async function request(path: string, body: unknown, options: CallOptions): Promise<Response> {
  // One gate can lie behind the other; more than both means that the service keeps refusing.
  for (let gates = 0; ; gates += 1) {
    const answer = await send(path, body, options.signal)
    if (answer.ok) return answer
    const error = await toApiError(answer)
    const gate = GATES[error.code]
    if (!gate || options.gated === false || gates >= 2) throw error
    if (!(await passGate(gate))) throw new GivenUp()
  }
}

/** GET without a body, POST with one. */
export async function call<T>(path: string, body?: unknown, options: CallOptions = {}): Promise<T> {
  const answer = await request(path, body, options)
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false
  return (isJson ? await answer.json() : undefined) as T
}

export async function callForBlob(path: string, body: unknown, options: CallOptions = {}): Promise<Blob> {
  return (await request(path, body, options)).blob()
}
