// An empty PostgreSQL cluster that each test run creates once and then copies, because `initdb` takes a second.
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { requireBinaries, requirePackageDir } from '../src/db/embedded-binaries.ts'
import { createCluster, makeDirectory } from '../src/db/embedded-cluster.ts'
import { chooseIdentity, changeOwner } from '../src/db/embedded-identity.ts'

export async function prepareCluster(dir: string): Promise<string> {
  const binaries = await requireBinaries(requirePackageDir())
  const paths = await makeDirectory(dir)
  const identity = await chooseIdentity(binaries.postgres, paths.dir, paths.data)
  await changeOwner(identity, paths.dir, true)
  await createCluster(paths, binaries, identity, false)
  return paths.cluster
}

/**
 * Does nothing if there is no prepared cluster, as in a test that runs without the test runner. The test's database then
 * creates a cluster.
 */
export async function copyCluster(
  dir: string,
  from = process.env['PAZAR_TEST_CLUSTER_FILES'],
): Promise<void> {
  if (from === undefined) return
  await mkdir(dir, { recursive: true, mode: 0o700 })
  // Node's own copy function does not preserve the owner of the files, which may be another user.
  await promisify(execFile)('cp', ['-a', from, path.join(dir, 'cluster')])
}
