// Runs several test files in one process, one after the other. Each file is a suite with its own hooks.
import { after, suite } from 'node:test'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { beginGroup, endGroup } from '../server/test/group-end.ts'
import { ROOT } from './test-files.ts'
import { measureUsage } from './test-usage-log.ts'

export async function runGroup(files: readonly string[]): Promise<void> {
  beginGroup()
  for (const file of files) {
    const recordUsage = measureUsage(path.join(ROOT, file))
    await runFile(file)
    recordUsage()
  }
  await endGroup()
  setTimeout(forceExit, OPEN_MAX_MS, files).unref()
}

/** After this time the process is ended, because a failed test may have left a server open. */
const OPEN_MAX_MS = 10_000

function forceExit(files: readonly string[]): void {
  console.error(`Something is still open after ${files.join(', ')}.`)
  process.exit()
}

function runFile(file: string): Promise<void> {
  return new Promise((resolve) => {
    void suite(file, async () => {
      try {
        await import(pathToFileURL(path.join(ROOT, file)).href)
      } finally {
        after(() => resolve()) // The last hook of the file. Runs even if the file cannot be loaded.
      }
    })
  })
}
