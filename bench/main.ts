// `npm run bench` measures each row of the benchmark table and its floor, which is the same work done with as little code
// as possible. It prints the table and saves it to bench/results.json with date and machine. `npm run bench -- pay-page
// start` measures and saves only those rows.
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
  // Printed before the setup stops, because the errors of lost connections that follow could hide the cause.
  console.error(error)
  throw error
} finally {
  await setup.stop()
}
printResults(results)
await record(results)

type RecordedResult = Result & { date: string; machine: string }

/** Rows that were measured now replace their last entry. The others stay, each with its own date and machine. */
async function record(measured: readonly Result[]): Promise<void> {
  const file = path.join(import.meta.dirname, 'results.json')
  const date = new Date().toISOString()
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? '?'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
  const recorded: RecordedResult[] = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : []
  const rows = new Map(recorded.map((row) => [row.name, row]))
  for (const result of measured) rows.set(result.name, { ...result, date, machine })
  await writeFile(file, `${JSON.stringify([...rows.values()], null, 2)}\n`)
}
