// The Montenegrin texts that every page of the portal loads.
import { errors } from './cnr/errors.ts'
import { fields } from './cnr/fields.ts'
import * as entry from './cnr/portal-entry.ts'
import { waits } from './cnr/waits.ts'
import type { EntryWords } from './portal-words.ts'

export const words: EntryWords = { ...entry, errors, fields, waits }
