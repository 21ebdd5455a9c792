// Where no mail server is set, a mail becomes a file that any mail program opens and any person can read: unencoded
// text first, so that a link in it can be copied. It may hold a link that opens an account, hence the modes.
import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { OutgoingMail } from './outgoing-mail.ts'

const CRLF = '\r\n'

function part(type: string, boundary: string, body: string): string[] {
  return [
    `--${boundary}`,
    `Content-Type: ${type}; charset=utf-8`,
    'Content-Transfer-Encoding: 8bit',
    '',
    body.replaceAll('\n', CRLF),
  ]
}

function toFileText(mail: OutgoingMail, at: Date): string {
  const boundary = `part-${mail.id}`
  return [
    `From: ${mail.from}`,
    `To: ${mail.to}`,
    `Subject: ${mail.subject}`,
    `Date: ${at.toUTCString()}`,
    `Message-ID: <${mail.messageId}>`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    ...part('text/plain', boundary, mail.text),
    ...part('text/html', boundary, mail.html),
    `--${boundary}--`,
    '',
  ].join(CRLF)
}

/** Returns the file's path. */
export async function writeMailFile(dir: string, mail: OutgoingMail, at: Date): Promise<string> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  // Colons cannot stand in file names everywhere.
  const time = at.toISOString().replaceAll(':', '-')
  const file = path.join(dir, `${time}-${mail.kind}-${mail.id}.eml`)
  const unfinished = `${file}.part`
  await writeFile(unfinished, toFileText(mail, at), { mode: 0o600 })
  // A program that watches the folder never sees half a mail.
  await rename(unfinished, file)
  return file
}
