// Bundles the service into one file for the tests. A run starts the service more than a hundred times, and a bundle loads
// faster than hundreds of source files.
import { mkdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { ROOT } from './test-files.ts'

/**
 * The bundle imports packages, so it must be in the repository, where Node finds node_modules. The path is always the same,
 * because Node's compile cache finds compiled code by the path of its file.
 */
const OUT_DIR = 'node_modules/.cache/pazar-test-service'

/** Returns the path of the bundle. `root` is the directory of this release or of another release. */
export async function buildTestService(root: string = ROOT): Promise<string> {
  const dir = path.join(root, OUT_DIR)
  const program = path.join(dir, 'main.mjs')
  const temporaryFile = path.join(dir, `main-${process.pid}.mjs`)
  mkdirSync(dir, { recursive: true })
  const bundle = await rolldown({
    input: path.join(root, 'server/src/main.ts'),
    platform: 'node',
    plugins: [
      {
        name: 'paths of the sources',
        transform: {
          filter: { id: /\.ts$/, code: 'import.meta' },
          handler: (code: string, id: string) =>
            code
              .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(id)))
              .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
        },
      },
    ],
  })
  // Without white space the service starts faster.
  const minify = { mangle: false, compress: false, codegen: { removeWhitespace: true } }
  await bundle.write({ file: temporaryFile, format: 'esm', codeSplitting: false, minify })
  await bundle.close()
  // Another run may be starting the service, so a rename replaces the bundle in one step.
  renameSync(temporaryFile, program)
  return program
}
