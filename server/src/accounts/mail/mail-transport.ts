// Sends mails to a mail server, or writes them to files in DATA_DIR.
import path from 'node:path'
import type { Transporter } from 'nodemailer'
import { toDate } from '../../lib/clock.ts'
import type { MailDeps } from './deps.ts'
import { writeMailFile } from './mail-file.ts'
import type { OutgoingMail } from './outgoing-mail.ts'

export interface MailTransport {
  send(mail: OutgoingMail): Promise<void>
  /** With a mail server: connects and logs in, but sends nothing. Throws if the connection or the login fails. */
  verify(): Promise<void>
  close(): void
}

/** Each time-out limits one step of the connection. */
const TRANSPORT_TIMEOUTS_MS = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
}

/**
 * A server that keeps sending a little data reaches none of the time-outs above, so this limit is for a whole attempt.
 * It is shorter than LEASE_SEC, so that no other worker sends the same mail during the attempt.
 */
export const SEND_WITHIN_MS = 60_000

export function createMailTransport(
  deps: Pick<MailDeps, 'config' | 'clock' | 'log'>,
  sendWithinMs = SEND_WITHIN_MS,
): MailTransport {
  const { smtpUrl, smtpRequireTls } = deps.config
  return smtpUrl === null
    ? createFileTransport(deps)
    : createSmtpTransport(smtpUrl, smtpRequireTls, sendWithinMs)
}

/** Rejects if the work takes longer, but does not stop the work. */
async function finishWithin(ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(Object.assign(new Error('the mail server is too slow'), { code: 'ETIMEDOUT' })),
    ms,
  )
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

function createFileTransport(deps: Pick<MailDeps, 'config' | 'clock' | 'log'>): MailTransport {
  const dir = path.join(deps.config.dataDir, 'mail')
  return {
    async send(mail) {
      const file = await writeMailFile(dir, mail, toDate(deps.clock.nowMs()))
      deps.log.info({ mail: mail.id, kind: mail.kind, file }, 'mail written to a file')
    },
    verify: async () => undefined,
    close: () => undefined,
  }
}

/** Mails contain links that give access to accounts. Where TLS is required, a server without TLS gets no mail. */
function createSmtpTransport(url: string, requireTLS: boolean, sendWithinMs: number): MailTransport {
  const options = {
    url,
    requireTLS,
    ...TRANSPORT_TIMEOUTS_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  let transport: Promise<Transporter> | null = null
  // The package is loaded on first use, because loading it is slow.
  const open = () =>
    (transport ??= import('nodemailer').then(({ createTransport }) => createTransport(options)))
  return {
    async send(mail) {
      const opened = await open()
      const sending = opened.sendMail({
        from: mail.from,
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        messageId: `<${mail.messageId}>`,
        // Prevents automatic replies.
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
      await finishWithin(sendWithinMs, sending)
    },
    async verify() {
      await finishWithin(sendWithinMs, (await open()).verify())
    },
    close() {
      void transport?.then((opened) => opened.close())
    },
  }
}
