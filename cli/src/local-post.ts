// One signed request to a shop on this machine, sent as the service would send it.
export interface LocalRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface LocalAnswer {
  /** Null when none came. */
  readonly statusCode: number | null
  readonly durationMs: number
  readonly error: 'timeout' | 'connect' | null
  /** How it begins. */
  readonly text: string
}

// As long as the service itself waits for a shop.
const TIMEOUT_MS = 15_000
// Enough to recognise an answer by; a shop's error page may be of any length.
const TEXT_LENGTH_MAX = 1_000

export async function postLocally(request: LocalRequest, signal: AbortSignal): Promise<LocalAnswer> {
  const startedMs = performance.now()
  const durationMs = () => Math.round(performance.now() - startedMs)
  const late = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await fetch(request.url, {
      method: 'POST',
      headers: request.headers,
      body: request.body,
      // The service never follows one either.
      redirect: 'manual',
      signal: AbortSignal.any([signal, late]),
    })
    const text = await readStart(response)
    return { statusCode: response.status, durationMs: durationMs(), error: null, text }
  } catch (error) {
    if (signal.aborted) throw error
    return {
      statusCode: null,
      durationMs: durationMs(),
      error: late.aborted ? 'timeout' : 'connect',
      text: '',
    }
  }
}

async function readStart(response: Response): Promise<string> {
  if (response.body === null) return ''
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      text += piece.value
      if (text.length > TEXT_LENGTH_MAX) break
    }
  } finally {
    await reader.cancel()
  }
  return text.slice(0, TEXT_LENGTH_MAX)
}
