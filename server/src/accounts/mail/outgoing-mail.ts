/** A mail as it leaves: words and envelope. */
export interface OutgoingMail {
  id: string
  kind: string
  from: string
  to: string
  /** The same on every try, so that a mail that went out twice is shown once. */
  messageId: string
  subject: string
  text: string
  html: string
}
