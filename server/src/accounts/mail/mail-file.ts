// Without a mail server, each mail is written to a file that mail programs can open. The file may contain a link that
// gives access to an account, so only the service's user may read it.
import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { OutgoingMail } from './outgoing-mail.ts'

const CRLF = '\r\n'

function toPart(type: string, boundary: string, body: string): string[] {
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
    ...toPart('text/plain', boundary, mail.text),
    ...toPart('text/html', boundary, mail.html),
    `--${boundary}--`,
    '',
  ].join(CRLF)
}

export async function writeMailFile(dir: string, mail: OutgoingMail, at: Date): Promise<string> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  // Some file systems do not allow colons in file names.
  const time = at.toISOString().replaceAll(':', '-')
  const file = path.join(dir, `${time}-${mail.kind}-${mail.id}.eml`)
  const unfinished = `${file}.part`
  await writeFile(unfinished, toFileText(mail, at), { mode: 0o600 })
  // A program that watches the folder must not read half a mail.
  await rename(unfinished, file)
  return file
}
