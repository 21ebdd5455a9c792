// The texts that only the pages for the integration load: quickstart, secrets, exam and signature check.
import { debug, exam } from './en/portal/exam.ts'
import { keys } from './en/portal/keys.ts'
import { quickstart } from './en/portal/quickstart.ts'
import type { SetupWords } from './portal-words.ts'

export const words: SetupWords = { debug, exam, keys, quickstart }
