// All commands, in the order a new user needs them.
import type { Command } from './command.ts'
import { ask } from './commands/ask.ts'
import { deliveriesList } from './commands/deliveries-list.ts'
import { deliveriesResend } from './commands/deliveries-resend.ts'
import { events } from './commands/events.ts'
import { exam } from './commands/exam.ts'
import { link } from './commands/link.ts'
import { listen } from './commands/listen.ts'
import { login } from './commands/login.ts'
import { open } from './commands/open.ts'
import { projects } from './commands/projects.ts'
import { qr } from './commands/qr.ts'
import { refund } from './commands/refund.ts'
import { status } from './commands/status.ts'
import { trigger } from './commands/trigger.ts'
import { verify } from './commands/verify.ts'

export const COMMANDS: readonly Command[] = [
  login,
  projects,
  listen,
  trigger,
  deliveriesList,
  deliveriesResend,
  status,
  events,
  refund,
  link,
  qr,
  verify,
  exam,
  ask,
  open,
]
