// The texts that only the secrets page and the quickstart page load.
import { keys } from './cnr/portal/keys.ts'
import { quickstart } from './cnr/portal/quickstart.ts'
import type { SetupWords } from './portal-words.ts'

export const words: SetupWords = { keys, quickstart }
