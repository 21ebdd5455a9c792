// Imported into each test process by `npm test -- --slowest`: logs the duration and the processor time of each test file.
import { appendFileSync, readFileSync } from 'node:fs'

const log = process.env['PAZAR_TEST_USAGE']
const program = process.argv[1] ?? ''

if (program.endsWith('.test.ts')) process.on('exit', measureUsage(program))

/** Starts measuring. The returned function logs the usage since the start. */
export function measureUsage(file: string): () => void {
  if (!log) return () => undefined
  // For a file that runs alone, the start of the process is counted too.
  const start = file === program ? { wallSec: 0, ownCpuSec: 0, childrenCpuSec: 0 } : readUsage()
  return () => {
    const end = readUsage()
    const line = {
      file,
      wallSec: end.wallSec - start.wallSec,
      ownCpuSec: end.ownCpuSec - start.ownCpuSec,
      childrenCpuSec: end.childrenCpuSec - start.childrenCpuSec,
    }
    appendFileSync(log, `${JSON.stringify(line)}\n`)
  }
}

function readUsage() {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  return {
    wallSec: performance.now() / 1e3,
    ownCpuSec: (userCPUTime + systemCPUTime) / 1e6,
    childrenCpuSec: readChildrenCpuSec(),
  }
}

/** Processor time of finished child processes. 0 on systems other than Linux. */
export function readChildrenCpuSec(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[13]) + Number(fields[14])) / 100
  } catch {
    return 0
  }
}
