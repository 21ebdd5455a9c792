// Unpacks an earlier release from the history of this clone.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const ROOT = path.join(import.meta.dirname, '../..')

/** The oldest release that can start on the schema of this release: the first that marks migrations as additive. */
export const EARLIEST_RELEASE = '89207d10a2caa70e9e044b9340948d09dcb59807'

const run = promisify(execFile)

/** Why the commit is missing. Null if this clone has it. */
export async function explainMissingCommit(commit: string): Promise<string | null> {
  try {
    await run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT })
    return null
  } catch {
    return `commit ${commit.slice(0, 7)} is missing: this is a shallow clone or a copy without history, or git is not installed`
  }
}

export interface OldRelease {
  root: string
  remove(): Promise<void>
}

/** Third-party packages, the built portal, and the packed SDK and CLI are taken from the current release. */
export async function unpackRelease(commit: string): Promise<OldRelease> {
  const root = await mkdtemp(path.join(tmpdir(), `pazar-${commit.slice(0, 7)}-`))
  const archive = path.join(root, '.archive.tar')
  await run('git', ['archive', '--format=tar', `--output=${archive}`, commit], { cwd: ROOT })
  await run('tar', ['-xf', archive, '-C', root])
  await linkPackages(root)
  for (const built of ['portal/dist', 'packages-dist'])
    await symlink(path.join(ROOT, built), path.join(root, built))
  return { root, remove: () => rm(root, { recursive: true, force: true }) }
}

async function linkPackages(root: string): Promise<void> {
  const [from, to] = [path.join(ROOT, 'node_modules'), path.join(root, 'node_modules')]
  const ownScope = '@pazar'
  await mkdir(path.join(to, ownScope), { recursive: true })
  for (const name of await readdir(from)) {
    if (name !== ownScope && !name.startsWith('.')) await symlink(path.join(from, name), path.join(to, name))
  }
  // The old release's own packages may have other names than the current packages.
  for (const [name, folder] of await listWorkspaces(root))
    await symlink(path.join(root, folder), path.join(to, name))
}

async function listWorkspaces(root: string): Promise<[name: string, folder: string][]> {
  const readPackage = async (folder: string) =>
    JSON.parse(await readFile(path.join(root, folder, 'package.json'), 'utf8')) as Record<string, unknown>
  const folders = (await readPackage('.'))['workspaces'] as string[]
  return Promise.all(
    folders.map(async (folder): Promise<[string, string]> => {
      return [String((await readPackage(folder))['name']), folder]
    }),
  )
}
