// `node scripts/build-cli.ts [folder]` builds the package of the command line tool, with all code in one file. The
// default folder is cli/dist.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CLI = path.join(ROOT, 'cli')
const PROGRAM = 'pazar-cli.js'

export async function buildCli(outDir: string = path.join(CLI, 'dist')): Promise<string> {
  rmSync(outDir, { recursive: true, force: true })
  mkdirSync(outDir, { recursive: true })
  const bundle = await rolldown({
    input: path.join(CLI, 'src/main.ts'),
    platform: 'node',
    transform: { target: 'node20' },
  })
  await bundle.write({ file: path.join(outDir, PROGRAM), format: 'esm', codeSplitting: false })
  await bundle.close()
  chmodSync(path.join(outDir, PROGRAM), 0o755)
  const source = JSON.parse(readFileSync(path.join(CLI, 'package.json'), 'utf8')) as Record<string, unknown>
  const { name, version, description, license } = source
  const manifest = {
    name,
    version,
    description,
    license,
    type: 'module',
    // Node 20 has AbortSignal.any since 20.3.
    engines: { node: '>=20.3' },
    bin: { 'pazar-cli': `./${PROGRAM}` },
  }
  writeFileSync(path.join(outDir, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  copyFileSync(path.join(CLI, 'README.md'), path.join(outDir, 'README.md'))
  copyFileSync(path.join(ROOT, 'LICENSE'), path.join(outDir, 'LICENSE'))
  return outDir
}

if (import.meta.main) {
  console.log(
    `The command line tool is built. To pack it: npm pack ./${path.relative('.', await buildCli(process.argv[2]))}`,
  )
}
