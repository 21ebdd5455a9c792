// Bundles the service into one file for the tests, because a run starts it more than a hundred times, and loading hundreds
// of source files takes longer than the rest of a start. It is built for each run, so that it is never out of date.
import { mkdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { ROOT } from './test-files.ts'

/** Inside the repository, where the bundle finds node_modules. Always the same path, so that the compile cache works. */
const OUT_DIR = 'node_modules/.cache/pazar-test-service'

/** Returns the path of the bundle. `root` is the directory of this release or of another one. */
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
  // Without white space the service starts a fifth faster. Names are not changed.
  const minify = { mangle: false, compress: false, codegen: { removeWhitespace: true } }
  await bundle.write({ file: temporaryFile, format: 'esm', codeSplitting: false, minify })
  await bundle.close()
  // Another run may be starting the service, so the file is replaced by a rename.
  renameSync(temporaryFile, program)
  return program
}
