// Finds and sorts the test files.
import { globSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** A browser and a service keep two cores busy. */
const BUSY_FOLDERS = ['server/test/portal', 'server/test/browser']

/** Slow tests that mostly wait, for example for killed processes. */
const WAITING_FOLDERS = [
  'server/test/faults',
  'server/test/callbacks',
  'server/src/streams',
  'server/src/db',
  'server/test',
  'examples',
  'cli',
]

/**
 * Browser tests of how portal pages behave that a whole `npm test` leaves out, because they took a fifth of its time. They
 * run in `npm run prove`, in `npm run test:changed` after a change that can affect them, and when they are named. What
 * costs money or reveals a secret is not in this list.
 */
export const ONLY_IN_PROVE: readonly (readonly [file: string, about: string])[] = [
  ['server/test/portal/addresses.test.ts', 'addresses, filters and searches of portal pages'],
  ['server/test/portal/callback-events.test.ts', 'the choice of events in test callbacks, debugger and exam'],
  ['server/test/portal/code-samples.test.ts', 'the chosen language of code samples'],
  [
    'server/test/portal/commands-and-print.test.ts',
    'command menu, shortcuts, sorted lists and printed sheets',
  ],
  ['server/test/portal/demo-refund.test.ts', 'a refund in the demo shop, by keyboard'],
  ['server/test/portal/dialogs.test.ts', 'dialogs that close when their page or session ends'],
  ['server/test/portal/interruptions.test.ts', 'forms after a lost session, a lockout or a sign-out'],
  ['server/test/portal/live-log.test.ts', 'lists that are announced or updated while they are open'],
  ['server/test/portal/phone-and-paper.test.ts', 'phones and printed statements'],
  ['server/test/portal/reloads.test.ts', 'input after a reload, a deploy or another language'],
  ['server/test/portal/settings-forms.test.ts', 'unsaved changes of settings'],
  ['server/test/portal/stats.test.ts', 'charts, bars and tables of the stats'],
  ['server/test/portal/two-tabs.test.ts', 'two tabs of one browser'],
]

/** The files of a whole `npm test`. */
export function leaveOutProveOnly(files: readonly string[]): string[] {
  return files.filter((file) => ONLY_IN_PROVE.every(([proveOnly]) => proveOnly !== file))
}

export function findTestFiles(): string[] {
  const exclude = (name: string) => ['node_modules', 'dist', 'data'].includes(path.basename(name))
  return globSync('**/*.test.ts', { cwd: ROOT, exclude }).map(toSlashes).sort()
}

export function isAtOrBelow(file: string, name: string): boolean {
  const from = toSlashes(path.relative(ROOT, path.resolve(name)))
  return from === '' || file === from || file.startsWith(`${from}/`)
}

/** Slow files come first, so that no core is idle at the end. Busy and waiting files alternate. */
export function sortSlowFirst(files: readonly string[]): string[] {
  const inFolders = (folders: readonly string[]) =>
    folders.flatMap((folder) => files.filter((file) => file.startsWith(`${folder}/`)))
  const busy = inFolders(BUSY_FOLDERS)
  const waiting = [...new Set(inFolders(WAITING_FOLDERS))].filter((file) => !busy.includes(file))
  const length = Math.max(busy.length, waiting.length)
  const inTurn = Array.from({ length }, (_, n) => [...busy.slice(n, n + 1), ...waiting.slice(n, n + 1)])
  return [...new Set([...inTurn.flat(), ...files])]
}

function toSlashes(file: string): string {
  return file.split(path.sep).join('/')
}
