// Bundles the service into one file for the tests: a run starts it more than a hundred times, and loading hundreds of
// source files takes longer than the rest of a start. It is built for each run, so that it is never out of date.
import { mkdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { ROOT } from './test-files.ts'

/** In the repository, where the bundle finds the packages with programs; always the same, for the compile cache. */
const OUT_DIR = path.join(ROOT, 'node_modules/.cache/pazar-test-service')

/** Returns the program. */
export async function buildTestService(): Promise<string> {
  const program = path.join(OUT_DIR, 'main.mjs')
  const written = path.join(OUT_DIR, `main-${process.pid}.mjs`)
  mkdirSync(OUT_DIR, { recursive: true })
  const bundle = await rolldown({
    input: path.join(ROOT, 'server/src/main.ts'),
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
  // Without spaces it starts in a fifth less time; all names stay.
  const minify = { mangle: false, compress: false, codegen: { removeWhitespace: true } }
  await bundle.write({ file: written, format: 'esm', codeSplitting: false, minify })
  await bundle.close()
  // Another run may be starting the service.
  renameSync(written, program)
  return program
}
