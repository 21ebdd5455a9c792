// Prints every Montenegrin text with its place and its English twin, for a person who reads them all at once.
import { textsOf } from './texts.ts'

const english = new Map(textsOf('en').map(({ path, text }) => [path, text]))
for (const { path, text } of textsOf('cnr')) console.log(`${path}\n  ${text}\n  ${english.get(path) ?? ''}\n`)
