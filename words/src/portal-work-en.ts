// The English texts that pages after sign-in load in addition to EntryWords.
import * as work from './en/portal-work.ts'
import type { WorkWords } from './portal-words.ts'

export const words: WorkWords = { ...work }
