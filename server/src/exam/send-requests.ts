// Sends the exam's requests one after another. The requests may go only to addresses to which callbacks may go.
import type { CallbackDeps } from '../callbacks/deps.ts'
import { toExcerpt, toSafeText } from '../callbacks/excerpt.ts'
import { EGRESS_FAILED_TEXT, ERROR_LENGTH_MAX } from '../egress/fetch-outcome.ts'
import type { ExamRequest } from './build-requests.ts'
import type { MerchantResponse } from './judge.ts'

/** No request starts after this time. The last request may take 15 s more, and many proxies time out after a minute. */
export const SEND_UNTIL_MS = 45_000

export async function sendRequests(
  deps: Pick<CallbackDeps, 'publicFetch'>,
  url: string,
  requests: readonly ExamRequest[],
  sendUntilMs = SEND_UNTIL_MS,
): Promise<Map<ExamRequest['name'], MerchantResponse>> {
  const responses = new Map<ExamRequest['name'], MerchantResponse>()
  const startedMs = performance.now()
  for (const request of requests) {
    const response = await sendRequest(deps, url, request)
    responses.set(request.name, response)
    const isUnreachable = responses.size === 1 && response.statusCode === null
    if (isUnreachable || performance.now() - startedMs >= sendUntilMs) break
  }
  return responses
}

async function sendRequest(
  deps: Pick<CallbackDeps, 'publicFetch'>,
  url: string,
  request: ExamRequest,
): Promise<MerchantResponse> {
  const response = await deps.publicFetch.post(url, request.headers, Buffer.from(request.body))
  const { statusCode, durationMs } = response
  if (response.isEgressFault)
    return {
      outcome: 'interrupted',
      statusCode: null,
      durationMs,
      error: EGRESS_FAILED_TEXT,
      responseExcerpt: null,
    }
  // If the merchant's server redirects, the exam's report names the target.
  const detail = response.outcome === 'redirect' ? response.location : response.error
  return {
    outcome: response.outcome,
    statusCode,
    durationMs,
    error: detail === null ? null : toSafeText(detail, ERROR_LENGTH_MAX, request.signatures),
    responseExcerpt: toExcerpt(
      { bytes: response.responseBody, isWhole: response.bodyEnd === 'whole' },
      request.signatures,
    ),
  }
}
