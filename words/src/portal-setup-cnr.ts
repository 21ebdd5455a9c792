// The texts that only the pages for the integration load: quickstart, secrets, exam and signature check.
import { debug, exam } from './cnr/portal/exam.ts'
import { keys } from './cnr/portal/keys.ts'
import { quickstart } from './cnr/portal/quickstart.ts'
import type { SetupWords } from './portal-words.ts'

export const words: SetupWords = { debug, exam, keys, quickstart }
