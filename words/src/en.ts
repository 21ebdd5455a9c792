// English, which also defines the shape: a text missing from the Montenegrin side does not compile.
import { checkout } from './en/checkout.ts'
import { errorPage } from './en/error-page.ts'
import { errors } from './en/errors.ts'
import { fields } from './en/fields.ts'
import { home, waits } from './en/home.ts'
import { mail, mailFrame } from './en/mail.ts'

export const en = { errors, fields, waits, checkout, errorPage, mail, mailFrame, home }

export type Catalogue = typeof en
