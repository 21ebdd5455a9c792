// The English texts that every page of the portal loads.
import { errors } from './en/errors.ts'
import { fields } from './en/fields.ts'
import * as entry from './en/portal-entry.ts'
import { waits } from './en/waits.ts'
import type { EntryWords } from './portal-words.ts'

export const words: EntryWords = { ...entry, errors, fields, waits }
