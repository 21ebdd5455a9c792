// English, which also defines the shape: a text missing from the Montenegrin side does not compile.
import { assistant } from './en/assistant.ts'
import { checkout } from './en/checkout.ts'
import { cli } from './en/cli.ts'
import { deliveries } from './en/deliveries.ts'
import { docs } from './en/docs.ts'
import { errorPage } from './en/error-page.ts'
import { errors } from './en/errors.ts'
import { exam } from './en/exam.ts'
import { fields } from './en/fields.ts'
import { home } from './en/home.ts'
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
  home,
  mail,
  mailFrame,
  incidents,
  transactions,
  exam,
  docs,
  assistant,
  cli,
  portal,
}

export type Catalogue = typeof en
