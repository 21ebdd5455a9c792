export interface OutgoingMail {
  id: string
  kind: string
  from: string
  to: string
  /** The same on every attempt, so that mail programs can recognise a repeated mail. */
  messageId: string
  subject: string
  text: string
  html: string
}
