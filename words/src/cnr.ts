// Montenegrin: Latin script, ijekavian, formal plural in sentences and the short imperative on buttons.
import { assistant } from './cnr/assistant.ts'
import { checkout } from './cnr/checkout.ts'
import { cli } from './cnr/cli.ts'
import { deliveries } from './cnr/deliveries.ts'
import { docs } from './cnr/docs.ts'
import { errorPage } from './cnr/error-page.ts'
import { errors } from './cnr/errors.ts'
import { exam } from './cnr/exam.ts'
import { fields } from './cnr/fields.ts'
import { home } from './cnr/home.ts'
import { incidents } from './cnr/incidents.ts'
import { mail, mailFrame } from './cnr/mail.ts'
import { portal } from './cnr/portal.ts'
import { transactions } from './cnr/transactions.ts'
import { waits } from './cnr/waits.ts'
import type { Catalogue } from './en.ts'

export const cnr: Catalogue = {
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
