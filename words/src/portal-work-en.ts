// The texts that pages after sign-in load in addition.
import * as work from './en/portal-work.ts'
import type { WorkWords } from './portal-words.ts'

export const words: WorkWords = { ...work }
