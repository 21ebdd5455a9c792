import { account } from './portal/account.ts'
import { deliveries } from './portal/deliveries.ts'
import { entry } from './portal/entry.ts'
import { debug, exam } from './portal/exam.ts'
import { failures, metrics } from './portal/metrics.ts'
import { frame } from './portal/frame.ts'
import { inbox } from './portal/inbox.ts'
import { members } from './portal/members.ts'
import { keys } from './portal/keys.ts'
import { link } from './portal/link.ts'
import { payments, status } from './portal/payments.ts'
import { projects } from './portal/projects.ts'
import { quickstart } from './portal/quickstart.ts'
import { actions, settings } from './portal/settings.ts'
import { secondFactor, security } from './portal/security.ts'
import { statement } from './portal/statement.ts'

export const portal = {
  entry,
  frame,
  projects,
  keys,
  members,
  settings,
  actions,
  payments,
  status,
  link,
  deliveries,
  metrics,
  failures,
  statement,
  exam,
  debug,
  inbox,
  quickstart,
  account,
  secondFactor,
  security,
}
