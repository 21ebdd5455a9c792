// The integration exam. Without --url, the service sends the requests to the project's test URL, or else to its live
// URL. With --url, this command sends the service's signed requests to that address, and reports the responses to the
// service.
import type { ExamReport, ExamRequests } from '@pazar/contract'
import { requireUrl } from '../values.ts'
import { CliError } from '../cli-error.ts'
import type { Invocation, Command } from '../command.ts'
import { postLocally } from '../local-post.ts'
import { span, toTable } from '../terminal.ts'
import type { Line } from '../terminal.ts'

// The service sends for at most 45 s and waits up to 15 s for the last response.
const TIMEOUT_MS = 90_000
// After this time, no more requests are sent, as in an exam by the service.
const SEND_UNTIL_MS = 45_000

export const exam: Command = {
  name: 'exam',
  args: [],
  options: { url: { value: '<url>' }, yes: {} },
  example: 'pazar-cli exam --url http://localhost:4000/callback',
  async run(invocation) {
    const url = invocation.optionValue('url')
    const report = await (url === undefined
      ? runFromService(invocation)
      : runFromHere(invocation, requireUrl(invocation.words, 'url', url)))
    return { json: report, exitsNonZero: report.failed > 0, lines: toLines(invocation, report) }
  },
}

async function runFromService(invocation: Invocation): Promise<ExamReport> {
  const { words, session, terminal } = invocation
  const path = await session.pathOf('exam')
  const api = session.api()
  const start = (body: object) => {
    terminal.printStatus([span('dim', words.exam.running)])
    return api.post<ExamReport>(path, body, { timeoutMs: TIMEOUT_MS })
  }
  if (invocation.isSet('yes')) return start({ confirm: true })
  const { testApiUrl, apiUrl } = await session.requireProject()
  const isLive = isSameUrl(testApiUrl ?? apiUrl, apiUrl)
  // If the user cannot be asked, nothing is confirmed, so the service refuses an exam of a live URL (confirm_live_url).
  if (!isLive || !terminal.canAsk) return start({})
  await requireConsent(invocation, apiUrl, words.next.confirmLive)
  return start({ confirm: true })
}

async function runFromHere(invocation: Invocation, url: string): Promise<ExamReport> {
  const { words, session, terminal } = invocation
  const { apiUrl } = await session.requireProject()
  const isLive = isSameUrl(url, apiUrl)
  if (isLive && !invocation.isSet('yes')) await requireConsent(invocation, apiUrl, words.next.otherUrl)
  const path = await session.pathOf('exam')
  const api = session.api()
  const { requests } = await api.post<ExamRequests>(path, { deliver: 'caller' })
  terminal.printStatus([span('dim', words.exam.running)])
  const responses = await sendRequests(invocation, url, requests)
  const order = findCustomId(requests)
  const report = await api.post<ExamReport>(path, {
    answers: responses,
    ...(order === null ? {} : { order }),
  })
  return { ...report, target: { url, live: isLive } }
}

async function requireConsent({ words, terminal }: Invocation, url: string, next: string): Promise<void> {
  const reply = terminal.canAsk ? await terminal.ask(words.ask.examLive(url)) : ''
  // Consent is the word for "yes" in the user's language, or the first letters of this word.
  if (reply === '' || !words.ask.yes.startsWith(reply.toLowerCase()))
    throw new CliError(words.exam.notSent, next, { code: 'not_confirmed' })
}

function isSameUrl(a: string, b: string): boolean {
  return new URL(a).href === new URL(b).href
}

async function sendRequests(
  { terminal, signal }: Invocation,
  url: string,
  requests: ExamRequests['requests'],
) {
  const responses: object[] = []
  const startedMs = performance.now()
  for (const [n, { name, title, headers, body }] of requests.entries()) {
    if (terminal.isInteractive) terminal.printStatus([span('dim', `  ${n + 1}/${requests.length} ${title}`)])
    const { statusCode, durationMs, error, text } = await postLocally({ url, headers, body }, signal)
    responses.push({ name, statusCode, durationMs, body: text, ...(error === null ? {} : { error }) })
    const isUnreachable = n === 0 && statusCode === null
    if (isUnreachable || performance.now() - startedMs >= SEND_UNTIL_MS) break
  }
  return responses
}

/** The customId of the first request, for the report. */
function findCustomId([first]: ExamRequests['requests']): string | null {
  const { customId } = JSON.parse(first?.body ?? '{}') as { customId?: string }
  return customId ?? null
}

function toLines({ words, catalogue }: Invocation, report: ExamReport): Line[] {
  const { scenarios, target, passed, failed } = report
  return [
    ...(target === null ? [] : [words.exam.target(target.url)]),
    ...scenarios.flatMap((one): Line[] => {
      const resultSign = one.passed ? span('good', '✓') : span('bad', '✗')
      if (one.passed) return [[resultSign, ` ${one.title}`, span('dim', `  ${one.got}`)]]
      const rows = toTable([
        [`    ${words.exam.expected}:`, one.expected],
        [`    ${words.exam.got}:`, one.got],
        [`    ${words.exam.fix}:`, one.fix ?? ''],
        ...(one.answer ? [[`    ${catalogue.portal.exam.answer}:`, one.answer]] : []),
      ])
      return [[resultSign, ` ${one.title}`], ...rows]
    }),
    [span(failed === 0 ? 'good' : 'bad', words.exam.passed(passed, passed + failed))],
  ]
}
