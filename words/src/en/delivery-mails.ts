import { formatNumber } from '../format.ts'
import type { DeliveryRecovery, DeliveryTrouble, MailText } from '../mail-facts.ts'
import { plural } from '../plural.ts'
import { WHY_OPERATOR, WHY_PAYMENTS } from './dispute-mails.ts'

const callbacks = (count: number) =>
  `${formatNumber('en', count)} ${plural('en', count, { one: 'callback', other: 'callbacks' })}`

const howToResend = (givenUp: number) =>
  givenUp === 1
    ? 'You can resend it in the callback log.'
    : 'You can resend them in the callback log, one by one or all at once.'

const LOOKS_UNPAID =
  'your server may not know the results: an order can be paid and still look unpaid in your shop.'

const OWNER_CLOSED = 'The merchant’s account is closed, so this message comes to you.'
const TO_MERCHANT = 'The merchant would have received this message:'
const toRedeliver = (count: number) =>
  `This command shows how to send the undelivered ${count === 1 ? 'callback' : 'callbacks'} again:`
const toRedeliverLater = (count: number) =>
  `Once the server works again, send the ${count === 1 ? 'callback' : 'callbacks'} again. This command shows how:`

export const deliveryMails = {
  deliveries_failing: ({
    isOperator,
    project,
    since,
    count,
    cause,
    fix,
  }: DeliveryTrouble & { since: string }): MailText =>
    isOperator
      ? {
          subject: `The merchant’s server is not accepting callbacks: ${project}`,
          heading: 'The merchant’s server is not accepting callbacks',
          paragraphs: [
            OWNER_CLOSED,
            `${TO_MERCHANT} ${cause} ${fix}`,
            'We try to deliver each callback for about three days.',
          ],
          details: [`Project: ${project}`, `Failing since: ${since}`, `Waiting: ${callbacks(count)}`],
          advice: 'We write about this at most once a day.',
          why: WHY_OPERATOR,
        }
      : {
          subject: `Your server is not accepting callbacks: ${project}`,
          heading: 'Your server is not accepting callbacks',
          paragraphs: [
            `${cause} ${fix}`,
            `Until the callbacks arrive, ${LOOKS_UNPAID}`,
            'We try to deliver each callback for about three days. As soon as your server accepts a callback, we send everything that is waiting.',
          ],
          details: [`Project: ${project}`, `Failing since: ${since}`, `Waiting: ${callbacks(count)}`],
          action: 'Open the callback log',
          advice:
            'We write about this at most once a day, and once more when your server accepts callbacks again.',
          why: WHY_PAYMENTS,
        },

  deliveries_exhausted: ({ isOperator, project, count, cause, fix }: DeliveryTrouble): MailText =>
    isOperator
      ? {
          subject: `${count === 1 ? 'A callback was not delivered' : 'Callbacks were not delivered'}: ${project}`,
          heading: count === 1 ? 'A callback was not delivered' : 'Callbacks were not delivered',
          paragraphs: [
            `No more attempts will be made. The payments themselves are not affected. ${OWNER_CLOSED}`,
            `${TO_MERCHANT} ${cause} ${fix}`,
          ],
          details: [`Project: ${project}`, `Not delivered: ${callbacks(count)}`],
          advice: toRedeliverLater(count),
          command: 'npm run pazar -- redeliver --help',
          why: WHY_OPERATOR,
        }
      : {
          subject: `${count === 1 ? 'A callback was not delivered' : 'Callbacks were not delivered'}: ${project}`,
          heading: count === 1 ? 'A callback was not delivered' : 'Callbacks were not delivered',
          paragraphs: [
            `No more attempts will be made. The payments themselves are not affected, but ${LOOKS_UNPAID}`,
            `${cause} ${fix}`,
            count === 1
              ? 'Once your server works again, resend the callback in the log.'
              : 'Once your server works again, resend the callbacks in the log, one by one or all at once.',
          ],
          details: [`Project: ${project}`, `Not delivered: ${callbacks(count)}`],
          action: 'Open the callback log',
          advice: 'We write about this at most once a day.',
          why: WHY_PAYMENTS,
        },

  deliveries_healed: ({ isOperator, project, count, givenUp }: DeliveryRecovery): MailText =>
    isOperator
      ? {
          subject: `The merchant’s server accepts callbacks again: ${project}`,
          heading: 'The merchant’s server accepts callbacks again',
          paragraphs: [OWNER_CLOSED],
          details: [
            `Project: ${project}`,
            ...(count === 0 ? [] : [`Delivered: ${callbacks(count)}`]),
            ...(givenUp === 0 ? [] : [`Not delivered: ${callbacks(givenUp)}`]),
          ],
          ...(givenUp === 0
            ? { advice: 'You do not need to do anything.' }
            : { advice: toRedeliver(givenUp), command: 'npm run pazar -- redeliver --help' }),
          why: WHY_OPERATOR,
        }
      : {
          subject: `Your server accepts callbacks again: ${project}`,
          heading: 'Your server accepts callbacks again',
          paragraphs: [
            count === 0
              ? 'Your server accepts callbacks again.'
              : `Your server accepts callbacks again. We have delivered ${callbacks(count)} that had been waiting.`,
            ...(givenUp === 0
              ? []
              : [
                  `Before that, ${callbacks(givenUp)} could not be delivered, and we no longer send ${givenUp === 1 ? 'it' : 'them'}. ${howToResend(givenUp)}`,
                ]),
          ],
          details: [
            `Project: ${project}`,
            ...(count === 0 ? [] : [`Delivered: ${callbacks(count)}`]),
            ...(givenUp === 0 ? [] : [`Not delivered: ${callbacks(givenUp)}`]),
          ],
          action: 'Open the callback log',
          advice:
            givenUp === 0 ? 'You do not need to do anything.' : `Until a resend succeeds, ${LOOKS_UNPAID}`,
          why: WHY_PAYMENTS,
        },
}
