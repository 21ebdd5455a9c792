// The integration exam. The service sends the requests to the project's URL; for a shop that only this machine can reach it
// hands them out signed, and judges the answers that are brought back.
import type { ExamReport, ExamRequests } from '@pazar/contract'
import { requireUrl } from '../values.ts'
import { CliError } from '../cli-error.ts'
import type { Call, Command } from '../command.ts'
import { postLocally } from '../local-post.ts'
import { span, toTable } from '../terminal.ts'
import type { Line } from '../terminal.ts'

// Eleven requests one after another, each of which may take 15 s.
const TIMEOUT_MS = 200_000

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
  // Without somebody to ask, the service itself refuses and says how to go on.
  if (testApiUrl !== null || !terminal.canAsk) return ask({})
  const said = await terminal.ask(words.ask.examLive(apiUrl))
  if (said.toLowerCase() === words.ask.yes) return ask({ confirm: true })
  throw new CliError(words.exam.notSent, words.next.confirmLive, { code: 'not_confirmed' })
}

async function runHere(call: Call, url: string): Promise<ExamReport> {
  const { words, session, terminal, signal } = call
  const path = await session.pathOf('exam')
  const api = session.api()
  const { requests } = await api.post<ExamRequests>(path, { deliver: 'caller' })
  terminal.note([span('dim', words.exam.running)])
  const answers: object[] = []
  for (const { name, headers, body } of requests) {
    const { statusCode, durationMs, error, text } = await postLocally({ url, headers, body }, signal)
    answers.push({ name, statusCode, durationMs, body: text, ...(error === null ? {} : { error }) })
  }
  return { ...(await api.post<ExamReport>(path, { answers })), target: { url, live: false } }
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
