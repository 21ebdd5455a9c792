// The texts that the portal loads in this language, without the other language and without mails.
import { errors } from './cnr/errors.ts'
import { fields } from './cnr/fields.ts'
import * as portal from './cnr/portal.ts'
import { waits } from './cnr/waits.ts'
import type { PortalWords } from './portal-words.ts'

export const words: PortalWords = { ...portal, errors, fields, waits }
