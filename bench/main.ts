// `npm run bench` measures the rows of the benchmark table and saves them to bench/results.json. Many rows are
// compared with a floor: the same work with as little code as possible, or our own code in a simpler case, for example
// with a smaller table.
// `npm run bench -- pay-page start` measures only these two rows.
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import path from 'node:path'
import { prepareSetup } from './setup.ts'
import type { Setup } from './setup.ts'
import type { Result } from './measure.ts'
import { benchCheckStatus } from './rows/check-status.ts'
import { benchConfirm } from './rows/confirm.ts'
import { benchDrain } from './rows/drain.ts'
import { benchGrowth } from './rows/growth.ts'
import { benchLatency } from './rows/latency.ts'
import { benchPayPage } from './rows/pay-page.ts'
import { benchQr } from './rows/qr.ts'
import { benchStart } from './rows/start.ts'
import { benchTakeover } from './rows/takeover.ts'
import { benchTrip } from './rows/trip.ts'

const ROWS: Record<string, (setup: Setup) => Promise<Result[]>> = {
  'check-status': benchCheckStatus,
  'pay-page': benchPayPage,
  confirm: benchConfirm,
  drain: benchDrain,
  latency: benchLatency,
  growth: benchGrowth,
  qr: benchQr,
  start: benchStart,
  trip: benchTrip,
  takeover: benchTakeover,
}

function printResults(results: readonly Result[]): void {
  const rows = results.map((one) => ({
    work: one.name,
    ours: `${one.ours} ${one.unit}`,
    floor: one.floor ?? '–',
    ratio: one.ratio ?? '–',
    must: one.must,
    goal: one.goal,
    met: one.met,
    spread: one.spread,
    note: one.note ?? '',
  }))
  console.table(rows)
}

const requested = process.argv.slice(2)
const names = requested.length > 0 ? requested : Object.keys(ROWS)
const unknown = names.filter((name) => !ROWS[name])
if (unknown.length > 0)
  throw new Error(`No such row: ${unknown.join(', ')}. There are: ${Object.keys(ROWS).join(', ')}.`)

const setup = await prepareSetup()
const results: Result[] = []
try {
  for (const name of names) {
    console.log(`… ${name}`)
    results.push(...(await ROWS[name]!(setup)))
  }
} catch (error) {
  // The error is printed first, because stopping the setup may print errors of lost connections.
  console.error(error)
  throw error
} finally {
  await setup.stop()
}
printResults(results)
await record(results)

type RecordedResult = Result & { date: string; machine: string }

/** Adds or replaces the entries of the measured rows. Other entries stay. */
async function record(measured: readonly Result[]): Promise<void> {
  const file = path.join(import.meta.dirname, 'results.json')
  const date = new Date().toISOString()
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? '?'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
  const recorded: RecordedResult[] = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : []
  const rows = new Map(recorded.map((row) => [row.name, row]))
  for (const result of measured) rows.set(result.name, { ...result, date, machine })
  await writeFile(file, `${JSON.stringify([...rows.values()], null, 2)}\n`)
}
