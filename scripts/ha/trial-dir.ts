// The directory of a trial (`npm run ha` or `npm run upgrade:drill`). The trial's processes are ended, even after an
// error or Ctrl-C.
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Processes } from './processes.ts'

/** Returns the exit code. After a success or a signal, the directory is deleted unless `keep` is set. */
export async function inTrialDir(
  prefix: string,
  keep: boolean,
  runTrial: (processes: Processes) => Promise<boolean>,
): Promise<number> {
  const dir = mkdtempSync(path.join(tmpdir(), prefix))
  // If root runs the trial, PostgreSQL runs as another user and must reach its own directory inside this one.
  chmodSync(dir, 0o711)
  process.env['TMPDIR'] = dir
  const processes = new Processes(dir)
  const onSignal = () => void processes.end(keep).then(() => process.exit(130))
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, onSignal)
  let isDeleted = false
  try {
    const passed = await runTrial(processes)
    isDeleted = passed && !keep
    return passed ? 0 : 1
  } finally {
    await processes.end(!isDeleted)
    if (!isDeleted) console.log(`The logs are in ${path.join(dir, 'logs')}.`)
  }
}
