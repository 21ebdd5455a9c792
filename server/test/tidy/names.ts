// Files are called kebab-case.ts and named for what they do.
import { baseName } from './source-file.ts'
import type { Finding, SourceFile } from './source-file.ts'

// The languages of the examples have other conventions, so only our own file extensions are checked.
const OWN_EXTENSIONS = /\.(?:[cm]?[jt]sx?|css|html|sh)$/
const KEBAB = /^\.?[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/
const SAYS_NOTHING = /^(?:.*-)?(?:utils?|helpers?|managers?)$|^common$/

export function checkNames(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path }) => {
    const names = path.split('/')
    const vague = names.find((name) => SAYS_NOTHING.test(name.replace(/\..*$/, '').toLowerCase()))
    const odd = OWN_EXTENSIONS.test(baseName(path)) ? names.find((name) => !KEBAB.test(name)) : undefined
    return [
      ...(vague === undefined ? [] : [{ file: path, line: 1, text: `"${vague}" does not say what it does` }]),
      ...(odd === undefined ? [] : [{ file: path, line: 1, text: `"${odd}" is not in kebab-case` }]),
    ]
  })
}
