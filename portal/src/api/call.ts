// Sends the requests of the portal. If the session or the step-up is missing, a dialog asks for it, and the request is
// repeated.
import type { Problem } from '@pazar/contract'
import { storeLanguage } from '../ui/language.ts'
import { ApiError, DismissedError } from './api-error.ts'
import { countSettled, passGate } from './gates.ts'
import type { Gate } from './gates.ts'

export interface CallOptions {
  signal?: AbortSignal
  /** False: no dialog asks for sign-in or step-up. */
  asksForSignIn?: boolean
}

/** A request with a signal loads data, so it is no action of the user. */
function isActionRequest(body: unknown, { signal, asksForSignIn }: CallOptions): boolean {
  return body !== undefined && !signal && asksForSignIn !== false
}

/** If the connection is lost, in a request or in the middle of its response, the error is an ApiError. */
async function orLost<T>(work: () => Promise<T>, body: unknown, options: CallOptions): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new ApiError(null, null, { isAction: isActionRequest(body, options) })
  }
}

function sendRequest(path: string, body: unknown, options: CallOptions): Promise<Response> {
  const { signal } = options
  storeLanguage()
  const isPost = body !== undefined
  const isFile = body instanceof Blob
  const init: RequestInit = {
    method: isPost ? 'POST' : 'GET',
    headers: {
      accept: 'application/json',
      ...(isPost ? { 'content-type': isFile ? body.type : 'application/json' } : {}),
    },
    ...(isPost ? { body: isFile ? body : JSON.stringify(body) } : {}),
    ...(signal ? { signal } : {}),
    credentials: 'same-origin',
    cache: 'no-store',
  }
  return orLost(() => fetch(path, init), body, options)
}

async function toApiError(response: Response, isAction: boolean): Promise<ApiError> {
  const retryAfter = Number(response.headers.get('retry-after'))
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') ?? false
  // The problem is also null if the connection is lost in the middle of the response.
  const problem = isProblem
    ? await response.json().then(
        (json) => json as Problem,
        () => null,
      )
    : null
  return new ApiError(problem, retryAfter > 0 ? retryAfter : null, { hasResponse: true, isAction })
}

const GATES: Partial<Record<string, Gate>> = { unauthenticated: 'sign-in', step_up_required: 'step-up' }

/**
 * True if a dialog cannot help. After a sign-in with a recovery code, only waiting helps. If the service does not
 * accept a step-up with a recovery code for this request, a second dialog would waste another code.
 */
function isAfterRecovery({ problem }: ApiError, passedGate: Gate | null): boolean {
  const reasons = problem?.errors?.map(({ code }) => code) ?? []
  return reasons.includes('recovery_wait') || (passedGate === 'step-up' && reasons.includes('recovery_only'))
}

const toPage = () => location.pathname + location.search

async function request(path: string, body: unknown, options: CallOptions): Promise<Response> {
  const isAction = isActionRequest(body, options)
  const startPage = toPage()
  const settledAtStart = countSettled()
  let passedGate: Gate | null = null
  // A request can need up to three dialogs: sign-in, step-up, and one of the two again if the session is lost meanwhile.
  for (let passedGates = 0; ; passedGates += 1) {
    const settledAtSending = countSettled()
    const response = await sendRequest(path, body, options)
    if (response.ok) return response
    const error = await toApiError(response, isAction)
    const gate: Gate | undefined = isAfterRecovery(error, passedGate) ? undefined : GATES[error.code]
    if (!gate || options.asksForSignIn === false || passedGates >= 3) throw error
    // A step-up in another tab replaces the session's cookie, so a request sent just before is refused. Data is
    // requested once more. An action is not repeated, because the new cookie could be of another account.
    if (gate === 'sign-in' && !isAction && passedGates === 0) continue
    const { passed, dismissed } = countSettled()[gate]
    // If the user dismissed the dialog while this data was requested, the dialog must not open again.
    if (!isAction && dismissed > settledAtStart[gate].dismissed) throw new DismissedError()
    // If the user has completed the dialog since this request was sent, no dialog is needed.
    if (passed === settledAtSending[gate].passed && !(await passGate(gate))) throw new DismissedError()
    // The user left the page, so nobody would see the result.
    if (isAction && toPage() !== startPage) throw new DismissedError()
    passedGate = gate
  }
}

/** Sends a GET without a body, or a POST with one. A file is sent as it is, anything else as JSON. */
export async function call<T>(path: string, body?: unknown, options: CallOptions = {}): Promise<T> {
  const response = await request(path, body, options)
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  if (!isJson) return undefined as T
  return orLost(() => response.json() as Promise<T>, body, options)
}

export async function callForBlob(path: string, body: unknown, options: CallOptions = {}): Promise<Blob> {
  const response = await request(path, body, options)
  return orLost(() => response.blob(), body, options)
}
