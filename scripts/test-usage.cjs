// Preloaded into each test file's process by `npm test -- --slowest`: notes what it took in time and processor.
const { appendFileSync, readFileSync } = require('node:fs')

const file = process.argv[1] ?? ''
const log = process.env.PAZAR_TEST_USAGE

/** Of the processes it started and waited for, in seconds; Linux alone tells. */
function readChildrenCpuSec() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[13]) + Number(fields[14])) / 100
  } catch {
    return 0 // Elsewhere there is no such file; the column stays empty.
  }
}

if (log && file.endsWith('.test.ts'))
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage()
    const ownCpuSec = (userCPUTime + systemCPUTime) / 1e6
    const line = { file, wallSec: performance.now() / 1e3, ownCpuSec, childrenCpuSec: readChildrenCpuSec() }
    appendFileSync(log, `${JSON.stringify(line)}\n`)
  })
