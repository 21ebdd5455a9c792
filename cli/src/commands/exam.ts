// The integration exam. The service sends the requests to the project's URL; for a shop that only this machine can reach it
// hands them out signed, and judges the answers that are brought back.
import type { ExamReport, ExamRequests } from '@pazar/contract'
import { requireUrl } from '../values.ts'
import { CliError } from '../cli-error.ts'
import type { Call, Command } from '../command.ts'
import { postLocally } from '../local-post.ts'
import { span, toTable } from '../terminal.ts'
import type { Line } from '../terminal.ts'

// The service sends for 45 s at most, and waits 15 s more for what was sent last.
const TIMEOUT_MS = 90_000
// As the service has it: who is so slow is told so, and gets the rest of the exam when he is quicker.
const SEND_UNTIL_MS = 45_000

export const exam: Command = {
  name: 'exam',
  args: [],
  options: { url: { value: '<url>' }, yes: {} },
  example: 'pazar-cli exam --url http://localhost:4000/callback',
  async run(call) {
    const url = call.text('url')
    const report = await (url === undefined
      ? runThere(call)
      : runHere(call, requireUrl(call.words, 'url', url)))
    return { json: report, isNo: report.failed > 0, lines: toLines(call, report) }
  },
}

async function runThere(call: Call): Promise<ExamReport> {
  const { words, session, terminal } = call
  const path = await session.pathOf('exam')
  const api = session.api()
  const ask = (body: object) => {
    terminal.note([span('dim', words.exam.running)])
    return api.post<ExamReport>(path, body, { timeoutMs: TIMEOUT_MS })
  }
  if (call.flag('yes')) return ask({ confirm: true })
  const { testApiUrl, apiUrl } = await session.requireProject()
  const isLive = isSameUrl(testApiUrl ?? apiUrl, apiUrl)
  // Without somebody to ask, the service itself refuses and says how to go on.
  if (!isLive || !terminal.canAsk) return ask({})
  await requireConsent(call, apiUrl, words.next.confirmLive)
  return ask({ confirm: true })
}

async function runHere(call: Call, url: string): Promise<ExamReport> {
  const { words, session, terminal } = call
  const { apiUrl } = await session.requireProject()
  const live = isSameUrl(url, apiUrl)
  if (live && !call.flag('yes')) await requireConsent(call, apiUrl, words.next.otherUrl)
  const path = await session.pathOf('exam')
  const api = session.api()
  const { requests } = await api.post<ExamRequests>(path, { deliver: 'caller' })
  terminal.note([span('dim', words.exam.running)])
  const answers = await sendHere(call, url, requests)
  const order = findOrder(requests)
  const report = await api.post<ExamReport>(path, { answers, ...(order === null ? {} : { order }) })
  return { ...report, target: { url, live } }
}

async function requireConsent({ words, terminal }: Call, url: string, next: string): Promise<void> {
  const said = terminal.canAsk ? await terminal.ask(words.ask.examLive(url)) : ''
  // The whole word or its first letter.
  if (said === '' || !words.ask.yes.startsWith(said.toLowerCase()))
    throw new CliError(words.exam.notSent, next, { code: 'not_confirmed' })
}

function isSameUrl(a: string, b: string): boolean {
  return new URL(a).href === new URL(b).href
}

/** One after another, as far as it makes sense: where nobody answers the first, nobody answers the rest. */
async function sendHere({ terminal, signal }: Call, url: string, requests: ExamRequests['requests']) {
  const answers: object[] = []
  const startedMs = performance.now()
  for (const [n, { name, title, headers, body }] of requests.entries()) {
    if (terminal.isWatched) terminal.note([span('dim', `  ${n + 1}/${requests.length} ${title}`)])
    const { statusCode, durationMs, error, text } = await postLocally({ url, headers, body }, signal)
    answers.push({ name, statusCode, durationMs, body: text, ...(error === null ? {} : { error }) })
    const isNobodyThere = n === 0 && statusCode === null
    if (isNobodyThere || performance.now() - startedMs >= SEND_UNTIL_MS) break
  }
  return answers
}

/** What the first request calls its order, so that the report can say where to look. */
function findOrder([first]: ExamRequests['requests']): string | null {
  const { customId } = JSON.parse(first?.body ?? '{}') as { customId?: string }
  return customId ?? null
}

function toLines({ words, catalogue }: Call, report: ExamReport): Line[] {
  const { scenarios, target, passed, failed } = report
  return [
    ...(target === null ? [] : [words.exam.target(target.url)]),
    ...scenarios.flatMap((one): Line[] => {
      const mark = one.passed ? span('good', '✓') : span('bad', '✗')
      if (one.passed) return [[mark, ` ${one.title}`, span('dim', `  ${one.got}`)]]
      const rows = toTable([
        [`    ${words.exam.expected}:`, one.expected],
        [`    ${words.exam.got}:`, one.got],
        [`    ${words.exam.fix}:`, one.fix ?? ''],
        ...(one.answer ? [[`    ${catalogue.portal.exam.answer}:`, one.answer]] : []),
      ])
      return [[mark, ` ${one.title}`], ...rows]
    }),
    [span(failed === 0 ? 'good' : 'bad', words.exam.passed(passed, passed + failed))],
  ]
}
