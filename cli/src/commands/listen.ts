// Forwards test callbacks to localhost without a tunnel. The service sends signed test callbacks on its event
// stream, and this command posts them unchanged. Live callbacks are only shown.
import { formatWait } from '@pazar/words'
import { CliError } from '../cli-error.ts'
import { requireUrl } from '../values.ts'
import type { Invocation, Command } from '../command.ts'
import { followEvents } from '../follow-events.ts'
import type { CallbackEvent, FollowStep } from '../follow-events.ts'
import { postLocally } from '../local-post.ts'
import type { LocalResponse } from '../local-post.ts'
import { span } from '../terminal.ts'
import type { Line, Span } from '../terminal.ts'
import type { Words } from '../words.ts'

// Several callbacks are forwarded at once, so that a slow response does not delay the next callback.
const FORWARDS_AT_ONCE_MAX = 8

export const listen: Command = {
  name: 'listen',
  args: [],
  options: { 'forward-to': { value: '<url>', required: true } },
  example: 'pazar-cli listen --forward-to http://localhost:4000/callback',
  async run(invocation) {
    const { words, session, terminal, signal } = invocation
    const url = requireUrl(words, 'forward-to', invocation.optionValue('forward-to') ?? '')
    terminal.printStatus([span('dim', words.listen.connecting)])
    const { name } = await session.requireProject()
    const forwards = new Set<Promise<void>>()
    // The path of the event stream and, with `/report` added, of reports. It is built only once, because `pathOf` requests
    // the list of projects if no project is chosen.
    const path = await session.pathOf('events')
    const stream = { api: session.api(), path, signal }
    const target = { url, reportPath: `${path}/report` }
    let openCount = 0
    for await (const step of withStreamLimitError(words, followEvents(stream))) {
      if (step.kind === 'open') {
        openCount += 1
        report(
          invocation,
          { type: openCount === 1 ? 'ready' : 'back' },
          openCount === 1 ? words.done.listening(name, url) : words.listen.back,
        )
      } else if (step.kind === 'lost') {
        const { waitMs, cause } = step
        const wait = formatWait(invocation.locale, waitMs)
        const text = cause ? `${cause.message} ${words.listen.again(wait)}` : words.listen.lost(wait)
        report(invocation, { type: 'lost', waitMs, ...(cause && { error: cause.facts.code }) }, text)
      } else {
        const forward = forwardEvent(invocation, target, step.event).finally(() => forwards.delete(forward))
        forwards.add(forward)
        if (forwards.size >= FORWARDS_AT_ONCE_MAX) await Promise.race(forwards)
      }
    }
    await Promise.all(forwards)
    return { json: undefined, lines: [] }
  },
}

/** On the event stream, a 429 means too many open streams or too many requests. */
async function* withStreamLimitError(
  words: Words,
  events: AsyncGenerator<FollowStep>,
): AsyncGenerator<FollowStep> {
  try {
    yield* events
  } catch (error) {
    if (!(error instanceof CliError) || error.facts.status !== 429) throw error
    throw new CliError(words.problems.tooManyStreams, words.next.closeStream, error.facts)
  }
}

function report({ isJson, terminal }: Invocation, json: object, text: string): void {
  if (isJson) terminal.print(JSON.stringify(json))
  else terminal.printStatus([span('dim', text)])
}

async function forwardEvent(
  invocation: Invocation,
  { url, reportPath }: { readonly url: string; readonly reportPath: string },
  event: CallbackEvent,
): Promise<void> {
  const { terminal, isJson, signal } = invocation
  const { headers, body, ...facts } = event
  if (headers === undefined || body === undefined) {
    if (isJson) terminal.print(JSON.stringify({ type: 'callback', ...facts, forwarded: null }))
    else
      terminal.print(
        toLine(
          'callback',
          event.transactionId ?? event.id,
          span('dim', `${invocation.words.listen.live}: ${event.status}`),
        ),
      )
    return
  }
  let response: LocalResponse
  try {
    response = await postLocally({ url, headers, body }, signal)
  } catch {
    return // Stopped by Ctrl+C.
  }
  const reported = reportResponse(invocation, reportPath, { callbackId: event.id, ...response })
  if (isJson) {
    terminal.print(JSON.stringify({ type: 'callback', ...facts, forwarded: { url, ...response } }))
    return reported
  }
  const { event: kind = 'callback', customId, transactionId } = parseFields(body)
  terminal.print(toLine(kind, customId ?? transactionId ?? event.id, ...toResult(invocation, response)))
  if (response.error === 'connect') {
    const { problems, next } = invocation.words
    terminal.printStatus(`  ${problems.serverRefused(url)} ${next.startServer}`)
  } else if (!isAccepted(response) && response.text !== '')
    terminal.printStatus([span('dim', `  ${response.text}`)])
  await reported
}

/** The delivery log of the service shows the reported response. */
async function reportResponse(
  { session }: Invocation,
  reportPath: string,
  { callbackId, statusCode, durationMs }: LocalResponse & { readonly callbackId: string },
): Promise<void> {
  try {
    await session.api().post(reportPath, { callbackId, statusCode, durationMs })
  } catch {
    // If a report fails, only the delivery log lacks the response. For example, the service accepts no report with a
    // read-only token, and none about a callback that the service itself sent to the test URL.
  }
}

/** `17:04:05  → payment.result  order-123  [200] 42 ms` */
function toLine(kind: string, name: string, ...result: (string | Span)[]): Line {
  const time = new Date().toTimeString().slice(0, 8)
  return [span('dim', time), `  → ${kind}  `, span('strong', name), '  ', ...result]
}

function toResult({ words }: Invocation, response: LocalResponse): (string | Span)[] {
  const { statusCode, durationMs, error } = response
  const { late, refused } = words.listen
  const shown = statusCode ?? (error === 'timeout' ? late : refused)
  return [span(isAccepted(response) ? 'good' : 'bad', `[${shown}]`), ` ${durationMs} ms`]
}

function isAccepted({ statusCode }: LocalResponse): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300
}

function parseFields(body: string): { event?: string; customId?: string; transactionId?: string } {
  try {
    return JSON.parse(body) as ReturnType<typeof parseFields>
  } catch {
    return {}
  }
}
