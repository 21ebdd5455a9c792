// `npm run bench`: every figure beside its floor in one run. Prints a table, and records it in bench/results.json with date
// and machine. `npm run bench -- pay-page start` measures and records some rows only.
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import path from 'node:path'
import { prepareGround } from './ground.ts'
import type { Ground } from './ground.ts'
import type { Figure } from './measure.ts'
import { benchCheckStatus } from './rows/check-status.ts'
import { benchConfirm } from './rows/confirm.ts'
import { benchDrain } from './rows/drain.ts'
import { benchGrowth } from './rows/growth.ts'
import { benchLatency } from './rows/latency.ts'
import { benchPayPage } from './rows/pay-page.ts'
import { benchQr } from './rows/qr.ts'
import { benchStart } from './rows/start.ts'

const ROWS: Record<string, (ground: Ground) => Promise<Figure[]>> = {
  'check-status': benchCheckStatus,
  'pay-page': benchPayPage,
  confirm: benchConfirm,
  drain: benchDrain,
  latency: benchLatency,
  growth: benchGrowth,
  qr: benchQr,
  start: benchStart,
}

function print(figures: readonly Figure[]): void {
  const rows = figures.map((one) => ({
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

const wanted = process.argv.slice(2)
const names = wanted.length > 0 ? wanted : Object.keys(ROWS)
const unknown = names.filter((name) => !ROWS[name])
if (unknown.length > 0)
  throw new Error(`No such row: ${unknown.join(', ')}. There are: ${Object.keys(ROWS).join(', ')}.`)

const ground = await prepareGround()
const figures: Figure[] = []
try {
  for (const name of names) {
    console.log(`… ${name}`)
    figures.push(...(await ROWS[name]!(ground)))
  }
} finally {
  await ground.stop()
}
print(figures)
await record(figures)

type Recorded = Figure & { date: string; machine: string }

/** What was measured now takes the place of its last record; the other rows keep theirs, each with its date and machine. */
async function record(measured: readonly Figure[]): Promise<void> {
  const file = path.join(import.meta.dirname, 'results.json')
  const date = new Date().toISOString()
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? '?'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
  const known: Recorded[] = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : []
  const rows = new Map(known.map((row) => [row.name, row]))
  for (const figure of measured) rows.set(figure.name, { ...figure, date, machine })
  await writeFile(file, `${JSON.stringify([...rows.values()], null, 2)}\n`)
}
