// The texts that the portal loads in this language, without the other language and without mails.
import { errors } from './en/errors.ts'
import { fields } from './en/fields.ts'
import * as portal from './en/portal.ts'
import { waits } from './en/waits.ts'
import type { PortalWords } from './portal-words.ts'

export const words: PortalWords = { ...portal, errors, fields, waits }
