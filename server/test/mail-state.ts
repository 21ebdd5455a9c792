import type { Deps } from '../src/wire.ts'
import { rows } from './accounts.ts'

export interface MailState {
  attempts: number
  sent: boolean
  gave_up: boolean
  sealed: boolean
  last_error: string | null
  /** Seconds until the next attempt. */
  in_sec: number
}

export async function readMailState(db: Deps['db'], to: string): Promise<MailState> {
  const text = `select attempts, sent_at is not null as sent, gave_up_at is not null as gave_up,
    sealed_token is not null as sealed, last_error, round(extract(epoch from next_at - now()))::integer as in_sec
    from mails where to_address = $1`
  const [row] = await rows<MailState>(db, text, [to])
  return row!
}
