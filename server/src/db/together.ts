// Requests that arrive together ask the database together: one statement and one commit for all of them instead of one
// each. A lone request asks at once and pays nothing for it; a crowd shares the way there and back, which costs more than
// the answer.
import { ServiceError } from '../lib/service-error.ts'
import type { Queryable, Statement } from './pool.ts'
import { isLost } from './pool.ts'

/** Bounds how long one statement runs, and how many wait for the slowest question in it. */
const TOGETHER_MAX = 64
/** Of the pool's 16 connections. The next question waits until one is back, and so the busier it is, the more go together. */
const UNDER_WAY_MAX = 4
/** As long as others wait for a connection. Behind statements that a silent host never answers, the line does not move. */
const WAIT_MAX_MS = 3_000

interface Question {
  values: readonly unknown[]
  answer: PromiseWithResolvers<object[]>
  askedMs: number
}

interface Line {
  /** In the order in which they came. */
  waiting: Question[]
  underWay: number
  isCalled: boolean
  /** Set while questions wait behind full slots. */
  expiry: NodeJS.Timeout | null
}

const lines = new WeakMap<Queryable, Map<Statement, Line>>()

function lineOf(db: Queryable, what: Statement): Line {
  const own = lines.get(db) ?? new Map<Statement, Line>()
  const line = own.get(what) ?? { waiting: [], underWay: 0, isCalled: false, expiry: null }
  lines.set(db, own.set(what, line))
  return line
}

/**
 * The statement takes each of its values as an array and reads them as
 * `unnest($1::text[], …) with ordinality as asked(…, n)`; each of its rows says in `asked` which question it answers.
 */
export function askTogether<Row extends object>(
  db: Queryable,
  what: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const question: Question = { values, answer: Promise.withResolvers(), askedMs: performance.now() }
  const line = lineOf(db, what)
  line.waiting.push(question)
  if (!line.isCalled) {
    line.isCalled = true
    // At the end of this turn of the event loop, when every request that has arrived has asked.
    setImmediate(() => {
      line.isCalled = false
      sendWaiting(db, what, line)
    })
  }
  return question.answer.promise as Promise<Row[]>
}

function sendWaiting(db: Queryable, what: Statement, line: Line): void {
  while (line.waiting.length > 0 && line.underWay < UNDER_WAY_MAX) {
    line.underWay += 1
    void answerAll(db, what, line.waiting.splice(0, TOGETHER_MAX)).finally(() => {
      line.underWay -= 1
      sendWaiting(db, what, line)
    })
  }
  expireLater(what, line)
}

function expireLater(what: Statement, line: Line): void {
  const [oldest] = line.waiting
  if (!oldest || line.expiry) return
  const leftMs = Math.max(0, oldest.askedMs + WAIT_MAX_MS - performance.now())
  line.expiry = setTimeout(() => {
    line.expiry = null
    refuseExpired(what, line)
    expireLater(what, line)
  }, leftMs)
}

function refuseExpired(what: Statement, line: Line): void {
  const since = performance.now() - WAIT_MAX_MS
  while (line.waiting[0] && line.waiting[0].askedMs <= since) {
    const log = `database: ${what.name} does not get through`
    line.waiting.shift()!.answer.reject(new ServiceError('unavailable', { retryAfterSec: 2, log }))
  }
}

async function answerAll(db: Queryable, what: Statement, questions: readonly Question[]): Promise<void> {
  try {
    const columns = questions[0]!.values.map((_, column) => questions.map(({ values }) => values[column]))
    const rows = await db.query<{ asked: number }>(what, columns)
    const answers = questions.map((): object[] => [])
    for (const row of rows) answers[row.asked - 1]!.push(row)
    questions.forEach(({ answer }, index) => answer.resolve(answers[index]!))
  } catch (error) {
    // A question that breaks its statement, or waits too long for a lock, must not take its neighbours along; but a
    // database that is away is away for all of them.
    if (questions.length === 1 || isLost(error)) for (const { answer } of questions) answer.reject(error)
    else await Promise.all(questions.map((question) => answerAll(db, what, [question])))
  }
}
