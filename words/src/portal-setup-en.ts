// The texts that only the secrets page and the quickstart page load.
import { keys } from './en/portal/keys.ts'
import { quickstart } from './en/portal/quickstart.ts'
import type { SetupWords } from './portal-words.ts'

export const words: SetupWords = { keys, quickstart }
