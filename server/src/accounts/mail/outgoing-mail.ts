/** A mail ready to send: text and envelope. */
export interface OutgoingMail {
  id: string
  kind: string
  from: string
  to: string
  /** The same on every attempt, so that mail programs show a mail that was sent twice only once. */
  messageId: string
  subject: string
  text: string
  html: string
}
