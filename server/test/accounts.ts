// Helpers for tests: a copied client, SQL, and the tokens in mails.
import { createHash } from 'node:crypto'
import type { Http } from '../src/http/server.ts'
import { statement } from '../src/db/pool.ts'
import type { Queryable } from '../src/db/pool.ts'
import { Client } from './client.ts'
import type { TestService } from './harness.ts'

/** Returns a client with the same cookies: the same browser at another replica, or a thief who copied the cookies. */
export function copyClient(client: Client, app: Http = client.app): Client {
  const copy = new Client(app)
  copy.email = client.email
  copy.password = client.password
  for (const [name, value] of client.jar) copy.jar.set(name, value)
  return copy
}

export async function rows<Row extends object = Record<string, unknown>>(
  db: Queryable,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const name = `test-${createHash('sha256').update(text).digest('hex').slice(0, 40)}`
  return db.query<Row>(statement(name, text), values)
}

/** Confirms the address, as if the person had opened the link in the mail. */
export async function confirmEmail(db: Queryable, { email }: Pick<Client, 'email'>): Promise<void> {
  await rows(db, 'update accounts set email_confirmed_at = now() where email = $1', [email])
}

interface MailRow {
  id: string
  kind: string
  to_address: string
  sealed_token: Buffer | null
  facts: Record<string, unknown>
}

export async function findMail(service: TestService, to: string, kind: string): Promise<MailRow | null> {
  const text = 'select * from mails where to_address = $1 and kind = $2 order by id desc limit 1'
  const [found] = await rows<MailRow>(service.deps.db, text, [to, kind])
  return found ?? null
}

export async function readMailedToken(service: TestService, to: string, kind: string): Promise<string> {
  const found = await findMail(service, to, kind)
  const token = found?.sealed_token && service.deps.mailTokens.open(found.sealed_token, found.id)
  if (!token) throw new Error(`No ${kind} mail with a link is queued for ${to}.`)
  return token.toString()
}

export const ANOTHER_PASSWORD = 'sedam plavih brodova kod obale'
