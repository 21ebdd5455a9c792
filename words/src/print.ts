// Prints every Montenegrin text with its key and the English text, for reviewers.
import { textsOf } from './texts.ts'

const english = new Map(textsOf('en').map(({ path, text }) => [path, text]))
for (const { path, text } of textsOf('cnr')) console.log(`${path}\n  ${text}\n  ${english.get(path) ?? ''}\n`)
