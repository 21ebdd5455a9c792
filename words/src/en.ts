// English, which also defines the shape: a text missing from the Montenegrin side does not compile.
import { checkout } from './en/checkout.ts'
import { deliveries } from './en/deliveries.ts'
import { errorPage } from './en/error-page.ts'
import { errors } from './en/errors.ts'
import { fields } from './en/fields.ts'
import { incidents } from './en/incidents.ts'
import { mail, mailFrame } from './en/mail.ts'
import { portal } from './en/portal.ts'
import { transactions } from './en/transactions.ts'
import { waits } from './en/waits.ts'

export const en = {
  errors,
  fields,
  waits,
  checkout,
  deliveries,
  errorPage,
  mail,
  mailFrame,
  incidents,
  transactions,
  portal,
}

export type Catalogue = typeof en
