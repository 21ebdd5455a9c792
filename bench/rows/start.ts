// Row 11 of the benchmark table: the time until a started service is ready, cold (with initdb and the demo) and warm.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { toAbsoluteResult } from '../measure.ts'
import type { Result } from '../measure.ts'
import { startProcess } from '../process.ts'

const ROUNDS = 5

async function timeStart(dataDir: string): Promise<number> {
  const startedMs = performance.now()
  const service = await startProcess('server/src/main.ts', 'Pazar is ready', {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
  })
  const seconds = (performance.now() - startedMs) / 1000
  await service.stop()
  return seconds
}

export async function benchStart(): Promise<Result[]> {
  const cold: number[] = []
  const warm: number[] = []
  for (let n = 0; n < ROUNDS; n += 1) {
    const dir = await mkdtemp(path.join(tmpdir(), 'pazar-bench-start-'))
    cold.push(await timeStart(dir))
    warm.push(await timeStart(dir))
    await rm(dir, { recursive: true, force: true })
  }
  return [
    toAbsoluteResult({
      name: '11 start to ready, warm',
      unit: 's',
      target: { kind: 'at most', must: 2, goal: 1 },
      values: warm,
    }),
    toAbsoluteResult({
      name: '11 start to ready, cold with initdb and demo',
      unit: 's',
      target: { kind: 'at most', must: 5, goal: 3 },
      values: cold,
    }),
  ]
}
