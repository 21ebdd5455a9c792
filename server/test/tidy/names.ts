import { baseName } from './source-file.ts'
import type { Finding, SourceFile } from './source-file.ts'

// The examples use languages with other conventions, so only the paths of files with these extensions must be in kebab-case.
const OWN_EXTENSIONS = /\.(?:[cm]?[jt]sx?|css|html|sh)$/
const KEBAB = /^\.?[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/
const VAGUE_NAME = /^(?:.*-)?(?:utils?|helpers?|managers?)$|^common$/

export function checkNames(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path }) => {
    const names = path.split('/')
    const vague = names.find((name) => VAGUE_NAME.test(name.replace(/\..*$/, '').toLowerCase()))
    const notKebab = OWN_EXTENSIONS.test(baseName(path)) ? names.find((name) => !KEBAB.test(name)) : undefined
    return [
      ...(vague === undefined
        ? []
        : [{ file: path, line: 1, text: `"${vague}" does not say what the file does` }]),
      ...(notKebab === undefined
        ? []
        : [{ file: path, line: 1, text: `"${notKebab}" is not in kebab-case` }]),
    ]
  })
}
