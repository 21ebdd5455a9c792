// Imports go in one direction: each folder of the server, and each package that it uses, imports only from itself and
// from groups that come later in the lists below. WITHIN_A_GROUP has the exceptions. Imports of types count too,
// because they couple the folders. Tests may import anything.
import { importsOf, resolveImport, workspacesOf } from './imports.ts'
import { codeOutsideTests, inFolder, isTest } from './source-file.ts'
import type { Finding, SourceFile } from './source-file.ts'

const SERVER_ORDER = [
  'main cli demo',
  'background retention',
  'wire app',
  'service-metrics',
  'checkout assistant portal',
  'docs',
  'paylinks',
  'reconciliation',
  'refunds',
  'disputes',
  'payments',
  'exam',
  'deliveries',
  'streams',
  'statements',
  'callbacks feed',
  'projects',
  'secrets',
  'accounts',
  'egress backends http',
  'db',
  'config lib',
]

const PACKAGE_ORDER = ['sdk words theme', 'contract']

/** Packages that call the service only over HTTP, and what they may import. */
const CLIENT_IMPORTS = new Map([
  ['portal', new Set(['portal', 'words', 'theme', 'contract', 'sdk'])],
  ['cli', new Set(['cli', 'words', 'contract'])],
])
/** Files of the contract whose values the portal and the CLI may import. These files themselves import only types. */
const SMALL_FILES = new Set([
  'contract/src/limits.ts',
  'contract/src/exam-requests.ts',
  'contract/src/order-verdict.ts',
  'contract/src/permissions.ts',
])
/** "a > b": package a may import only types from package b, because types add no bytes to a bundle. */
const TYPES_ONLY = new Set(['portal > contract', 'portal > sdk', 'cli > contract', 'sdk > contract'])

/** Folders of one group may not import each other, except for these. */
const WITHIN_A_GROUP = new Set([
  'server/src/main > server/src/demo',
  'server/src/cli > server/src/demo',
  'server/src/config > server/src/lib',
  'server/src/app > server/src/wire', // The app is built from the result of wire, and needs its type.
])

const RANKS = new Map(
  [
    ...SERVER_ORDER.map((group) => group.split(' ').map((name) => `server/src/${name}`)),
    ...PACKAGE_ORDER.map((group) => group.split(' ')),
  ].flatMap((group, rank) => group.map((folder) => [folder, rank] as const)),
)

export function checkDirection(files: readonly SourceFile[]): Finding[] {
  const workspaces = workspacesOf(files)
  const findings = findUnknownPlaces(files)
  for (const file of codeOutsideTests(files)) {
    const from = toPlace(file.path)
    if (!RANKS.has(from) && !CLIENT_IMPORTS.has(from)) continue
    for (const { specifier, line, typeOnly } of importsOf(file)) {
      const target = resolveImport(file, specifier, workspaces)
      if (target === null) continue
      const to = toPlace(target)
      if (!mayImport(from, to))
        findings.push({ file: file.path, line, text: `${from} may not import from ${to} (${specifier})` })
      // The portal and the CLI may import values from SMALL_FILES. The SDK may not, because it is installed without the contract.
      else if (TYPES_ONLY.has(`${from} > ${to}`) && !typeOnly && !(from !== 'sdk' && SMALL_FILES.has(target)))
        findings.push({
          file: file.path,
          line,
          text: `${from} may import only types from ${to}: write "import type"`,
        })
    }
  }
  return findings
}

function mayImport(from: string, to: string): boolean {
  const allowed = CLIENT_IMPORTS.get(from)
  if (allowed) return allowed.has(to)
  if (from === to || WITHIN_A_GROUP.has(`${from} > ${to}`)) return true
  const fromRank = RANKS.get(from)
  const toRank = RANKS.get(to)
  return fromRank !== undefined && toRank !== undefined && fromRank < toRank
}

/**
 * The place of a file in the order: server/src/payments for `server/src/payments/settle.ts`, server/src/wire for
 * `server/src/wire.ts`, and the name of the package for a file outside the server.
 */
function toPlace(path: string): string {
  const parts = path.split('/')
  if (!inFolder(path, 'server')) return parts[0] ?? ''
  return parts.slice(0, 3).join('/').replace(/\.ts$/, '')
}

function findUnknownPlaces(files: readonly SourceFile[]): Finding[] {
  const knownFolders = new Set(RANKS.keys())
  return files.flatMap(({ path }) => {
    const folder = toPlace(path)
    if (!inFolder(path, 'server/src') || isTest(path) || knownFolders.has(folder)) return []
    knownFolders.add(folder)
    const text = `${folder} is not in the order: add it to SERVER_ORDER in server/test/tidy/direction.ts`
    return [{ file: path, line: 1, text }]
  })
}
