// Sends the exam's requests, one after another, through the same guarded way as every callback. What comes back is kept
// for the verdict alone: the exam stands in its report and not in the delivery log.
import type { CallbackDeps } from '../callbacks/deps.ts'
import { toExcerpt, toSafeText } from '../callbacks/excerpt.ts'
import { ERROR_LENGTH_MAX } from '../egress/fetch-outcome.ts'
import type { ExamRequest } from './build-requests.ts'
import type { ShopAnswer } from './judge.ts'

/** The last one sent may take 15 s more, and proxies in front of us give up on an answer after a minute. */
const SEND_UNTIL_MS = 45_000

export async function sendRequests(
  deps: Pick<CallbackDeps, 'publicFetch'>,
  url: string,
  requests: readonly ExamRequest[],
  sendUntilMs = SEND_UNTIL_MS,
): Promise<Map<ExamRequest['name'], ShopAnswer>> {
  const answers = new Map<ExamRequest['name'], ShopAnswer>()
  const startedMs = performance.now()
  for (const request of requests) {
    const answer = await send(deps, url, request)
    answers.set(request.name, answer)
    const isNobodyThere = answers.size === 1 && answer.statusCode === null
    if (isNobodyThere || performance.now() - startedMs >= sendUntilMs) break
  }
  return answers
}

async function send(
  deps: Pick<CallbackDeps, 'publicFetch'>,
  url: string,
  request: ExamRequest,
): Promise<ShopAnswer> {
  const answer = await deps.publicFetch.post(url, request.headers, Buffer.from(request.body))
  const { statusCode, durationMs } = answer
  // Of a redirect, where it points: the words of the delivery log tell it.
  const said = answer.outcome === 'redirect' ? answer.location : answer.error
  return {
    outcome: answer.isProxyFault ? 'interrupted' : answer.outcome,
    statusCode,
    durationMs,
    error: said === null ? null : toSafeText(said, ERROR_LENGTH_MAX, request.signatures),
    responseExcerpt: toExcerpt(
      { bytes: answer.responseBody, isWhole: answer.bodyEnd === 'whole' },
      request.signatures,
    ),
  }
}
