// Sends the exam's requests, one after another, through the same address guard as every callback. The responses are used
// only for the verdict. An exam has a report, but no entries in the delivery log.
import type { CallbackDeps } from '../callbacks/deps.ts'
import { toExcerpt, toSafeText } from '../callbacks/excerpt.ts'
import { ERROR_LENGTH_MAX } from '../egress/fetch-outcome.ts'
import type { ExamRequest } from './build-requests.ts'
import type { MerchantResponse } from './judge.ts'

/**
 * No request starts after this time. The last one may take 15 s more, and proxies in front of the service time out after a
 * minute.
 */
const SEND_UNTIL_MS = 45_000

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
  // For a redirect this is its target, which the delivery log's explanation names.
  const detail = response.outcome === 'redirect' ? response.location : response.error
  return {
    outcome: response.isEgressFault ? 'interrupted' : response.outcome,
    statusCode,
    durationMs,
    error: detail === null ? null : toSafeText(detail, ERROR_LENGTH_MAX, request.signatures),
    responseExcerpt: toExcerpt(
      { bytes: response.responseBody, isWhole: response.bodyEnd === 'whole' },
      request.signatures,
    ),
  }
}
