// `npm run bench`: every figure beside its floor in one run. Prints a table, and writes bench/results.json with date and
// machine. `npm run bench -- pay-page start` runs some rows only and writes nothing.
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
if (wanted.length === 0) {
  const file = path.join(import.meta.dirname, 'results.json')
  const machine = {
    cpu: cpus()[0]?.model ?? '',
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  }
  const packageFile = JSON.parse(
    await readFile(path.join(import.meta.dirname, '../package.json'), 'utf8'),
  ) as { version: string }
  const record = { date: new Date().toISOString(), version: packageFile.version, machine, figures }
  await writeFile(file, `${JSON.stringify(record, null, 2)}\n`)
}
