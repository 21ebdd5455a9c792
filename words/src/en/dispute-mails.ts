// The mails about a dispute. The merchant gives evidence, and the operator responds to the bank.
import type { DisputeFacts, MailText } from '../mail-facts.ts'
import { toEvidenceContact } from '../mail-facts.ts'

export const WHY_PAYMENTS = 'You receive this automatic message because it is about your payments.'
export const WHY_OPERATOR = 'You receive this message because you operate this service.'

/** The operator's commands need the transaction ID. A merchant searches by the reference or the order. */
const toDetails = (facts: DisputeFacts) => [
  `Amount: ${facts.amount}`,
  `Project: ${facts.project}`,
  ...(facts.order === null ? [] : [`Order ID: ${facts.order}`]),
  ...(facts.reference === null ? [] : [`Payment reference: ${facts.reference}`]),
  ...(facts.reader === 'merchant' && facts.reference !== null
    ? []
    : [`Transaction ID: ${facts.transactionId}`]),
  ...(facts.mode === 'test' ? ['Test payment: no money moved'] : []),
]

const toDetailsWithDeadline = (facts: DisputeFacts) => [
  // The merchant's evidence must arrive before the bank's deadline.
  ...(facts.respondBy === null
    ? []
    : [`${facts.reader === 'merchant' ? 'Bank’s deadline' : 'Respond by'}: ${facts.respondBy}`]),
  ...toDetails(facts),
]

const askMerchant = ({ mode, state, respondBy, operatorContact }: DisputeFacts) => {
  if (mode === 'test') return 'This is a test payment: no money moved, and there is nothing to send.'
  const operator = `the operator of this service${operatorContact === null ? '' : ` (${operatorContact})`}`
  const request = `Send your evidence (order, proof of delivery, messages) to ${operator} now.`
  if (respondBy === null) return request
  const otherwise = state === 'inquiry' ? 'the inquiry may become a dispute' : 'the dispute is usually lost'
  return `${request} The bank must have the operator’s response by ${respondBy}; after that, ${otherwise}.`
}

const askOperator = ({ mode, reader, respondBy }: DisputeFacts) => {
  if (mode === 'test') return 'This is a test payment: no response to a bank is needed.'
  const deadline = respondBy === null ? 'as soon as you can' : `by ${respondBy}`
  return reader === 'operator_alone'
    ? `The merchant’s account is closed, so respond to the bank yourself ${deadline}.`
    : `The merchant has been notified. Collect their evidence and respond to the bank ${deadline}.`
}

function toAdvice({ mode, reader, state }: DisputeFacts): string {
  if (mode === 'test') return 'You do not need to do anything.'
  if (reader !== 'merchant')
    return 'Respond in the payment provider’s dashboard. The decision is recorded automatically.'
  return state === 'inquiry'
    ? 'If you want to refund the payer, do it in the portal.'
    : 'While the dispute is open, do not return the money yourself, for example by bank transfer.'
}

/** The bank's deadline is for the operator. The merchant's evidence is due earlier. */
function toTask({ mode, reader, respondByDay }: DisputeFacts): string {
  if (mode === 'test') return ''
  if (reader === 'merchant') return ': send evidence now'
  return respondByDay === null ? '' : `: respond by ${respondByDay}`
}

/** In test mode, the text says what a bank would do. */
function toTestEffect({ state, reader, amount, wasWithdrawn }: DisputeFacts): string {
  const favour = reader === 'merchant' ? 'your' : 'the merchant’s'
  if (state === 'lost')
    return 'The test bank decided in the payer’s favour. In a real payment, the money would have been returned to the payer.'
  if (wasWithdrawn === false) return 'The test bank closed its inquiry. Nothing had been withdrawn.'
  return `The test dispute ended in ${favour} favour. In a real payment, ${amount} would be returned to ${reader === 'merchant' ? 'you' : 'them'} if it had been withdrawn.`
}

/** A closed inquiry has the state `won` too. */
function toWonTitle({ reader, wasWithdrawn }: DisputeFacts): string {
  if (wasWithdrawn) return 'Dispute won'
  if (wasWithdrawn === false) return 'Bank inquiry closed'
  return `Dispute or inquiry closed in ${reader === 'merchant' ? 'your' : 'the merchant’s'} favour`
}

function toWonEffect({ reader, amount, wasWithdrawn }: DisputeFacts): string {
  const isMerchant = reader === 'merchant'
  const favour = `in ${isMerchant ? 'your' : 'the merchant’s'} favour`
  const them = isMerchant ? 'you' : 'them'
  if (wasWithdrawn) return `The dispute ended ${favour}: ${amount} is returned to ${them}.`
  if (wasWithdrawn === false) return 'The bank closed its inquiry. Nothing had been withdrawn.'
  return `The dispute or inquiry ended ${favour}. Anything that was withdrawn because of it is returned to ${them}.`
}

export const disputeMails = {
  dispute_opened: (facts: DisputeFacts): MailText => {
    const isInquiry = facts.state === 'inquiry'
    const isMerchant = facts.reader === 'merchant'
    const what = isInquiry ? 'Bank inquiry' : 'Dispute'
    const heading = `${what} ${isInquiry ? 'about' : 'over'} ${facts.amount}${toTask(facts)}`
    const subject = `${heading} – ${facts.project}`
    const evidence = `Evidence: ${isInquiry ? 'bank inquiry about' : 'dispute over'} ${facts.amount}`
    const contacts = isMerchant ? toEvidenceContact(facts, evidence) : []
    const because = facts.reason ? ` ${facts.reason}` : ''
    return {
      subject: facts.mode === 'test' ? `Test: ${subject}` : subject,
      heading,
      paragraphs: [
        isInquiry
          ? `The payer’s bank is asking about this payment. No money has been withdrawn so far.${because}`
          : facts.mode === 'test'
            ? `The payer asked their bank for the money back.${because} In a real payment, the amount would be withdrawn until the bank decides.`
            : `The payer asked their bank for the money back.${because} Until the bank decides, the amount is withdrawn and ${isMerchant ? 'you' : 'the merchant'} cannot refund it.`,
        isMerchant ? askMerchant(facts) : askOperator(facts),
      ],
      details: toDetailsWithDeadline(facts),
      action: 'Open the payment',
      advice: toAdvice(facts),
      contacts,
      why: isMerchant ? WHY_PAYMENTS : WHY_OPERATOR,
    }
  },

  dispute_closed: (facts: DisputeFacts): MailText => {
    const isMerchant = facts.reader === 'merchant'
    const what = facts.state === 'lost' ? 'Dispute lost' : toWonTitle(facts)
    const subject = `${what}: ${facts.amount} – ${facts.project}`
    return {
      subject: facts.mode === 'test' ? `Test: ${subject}` : subject,
      heading: `${what}: ${facts.amount}`,
      paragraphs: [
        facts.mode === 'test'
          ? toTestEffect(facts)
          : facts.state === 'won'
            ? `${toWonEffect(facts)}${facts.wasRefunded ? ` What ${isMerchant ? 'you have already refunded' : 'has already been refunded'} stays refunded.` : ''}`
            : `The bank decided in the payer’s favour and returned the money to them${isMerchant ? ', so do not refund it as well' : ''}. ${facts.amount} stays withdrawn.`,
      ],
      details: toDetails(facts),
      action: 'Open the payment',
      advice: 'You do not need to do anything.',
      why: isMerchant ? WHY_PAYMENTS : WHY_OPERATOR,
    }
  },
}
