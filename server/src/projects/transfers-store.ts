// Transfers of ownership that are offered or accepted, at most one per project. An ended transfer is deleted.
import { TRANSFER_OFFER_MAX_DAYS, TRANSFER_WAIT_HOURS } from '@pazar/contract'
import type { AccountId } from '../accounts/account.ts'
import type { EmailAddress } from '../accounts/email-address.ts'
import { statement } from '../db/pool.ts'
import type { Queryable, Tx } from '../db/pool.ts'

export interface Transfer {
  projectId: string
  fromId: AccountId
  /** Null if the recipient is an invited person who has not joined. */
  toId: AccountId | null
  toEmail: string
  toEmailKey: string
  requestedAt: Date
  expiresAt: Date
  /** When the recipient becomes the owner. Null until the offer is accepted. */
  dueAt: Date | null
}

const COLUMNS = `project_id as "projectId", from_id as "fromId", to_id as "toId", to_email as "toEmail",
  to_email_key as "toEmailKey", requested_at as "requestedAt", expires_at as "expiresAt", due_at as "dueAt"`
const IS_OPEN = '(accepted_at is not null or expires_at > now())'

const INSERT = statement(
  'transfers.insert',
  `insert into project_transfers (project_id, from_id, to_id, to_email, to_email_key, expires_at)
   values ($1, $2, $3, $4, $5, least(now() + interval '${TRANSFER_OFFER_MAX_DAYS} days', $6))
   on conflict (project_id) do update set from_id = excluded.from_id, to_id = excluded.to_id, to_email = excluded.to_email,
     to_email_key = excluded.to_email_key, requested_at = now(), expires_at = excluded.expires_at
   where project_transfers.accepted_at is null and project_transfers.expires_at <= now() returning ${COLUMNS}`,
)

/**
 * Replaces an expired offer. Returns null if the project has an open transfer. An offer to an invited address expires with
 * the invitation at the latest.
 */
export async function insertTransfer(
  tx: Tx,
  {
    projectId,
    fromId,
    toId,
    to,
    expiresAtMax,
  }: {
    projectId: string
    fromId: AccountId
    toId: AccountId | null
    to: EmailAddress
    expiresAtMax: Date | null
  },
): Promise<Transfer | null> {
  const [row] = await tx.query<Transfer>(INSERT, [projectId, fromId, toId, to.email, to.key, expiresAtMax])
  return row ?? null
}

const FIND = statement(
  'transfers.find',
  `select ${COLUMNS} from project_transfers where project_id = $1 and ${IS_OPEN}`,
)

export async function findTransfer(db: Queryable, projectId: string): Promise<Transfer | null> {
  const [row] = await db.query<Transfer>(FIND, [projectId])
  return row ?? null
}

const SET_RECIPIENT = statement(
  'transfers.set_recipient',
  `update project_transfers set to_id = $2, expires_at = requested_at + interval '${TRANSFER_OFFER_MAX_DAYS} days'
   where project_id = $1 and to_id is null and to_email_key = $3 and ${IS_OPEN}`,
)

/** Binds the offer to the account of an invited person who has joined. The offer no longer expires with the invitation. */
export async function setRecipient(
  tx: Tx,
  projectId: string,
  { accountId, emailKey }: { accountId: AccountId; emailKey: string },
): Promise<void> {
  await tx.query(SET_RECIPIENT, [projectId, accountId, emailKey])
}

const ACCEPT = statement(
  'transfers.accept',
  `update project_transfers set accepted_at = now(), due_at = now() + interval '${TRANSFER_WAIT_HOURS} hours'
   where project_id = $1 and to_id = $2 and accepted_at is null and ${IS_OPEN} returning ${COLUMNS}`,
)

export async function setAccepted(
  tx: Tx,
  projectId: string,
  accountId: AccountId,
): Promise<(Transfer & { dueAt: Date }) | null> {
  const [row] = await tx.query<Transfer & { dueAt: Date }>(ACCEPT, [projectId, accountId])
  return row ?? null
}

const REMOVE = statement('transfers.remove', 'delete from project_transfers where project_id = $1')

export async function deleteTransfer(tx: Tx, projectId: string): Promise<void> {
  await tx.query(REMOVE, [projectId])
}

const REMOVE_OF_CLOSED = statement(
  'transfers.remove_of_closed',
  `delete from project_transfers where from_id = $1 or to_id = $1 or (to_email_key = $2 and to_id is null) returning ${COLUMNS}`,
)

/** Called when an account is closed. Deletes the transfers from and to this account, and returns them. */
export async function deleteTransfersOfClosed(
  tx: Tx,
  accountId: AccountId,
  emailKey: string,
): Promise<Transfer[]> {
  return tx.query<Transfer>(REMOVE_OF_CLOSED, [accountId, emailKey])
}

const REMOVE_ALL = statement('transfers.remove_all', 'delete from project_transfers')

/**
 * Called after a restore or a failover that lost writes. Otherwise a transfer whose cancellation was lost could take
 * effect.
 */
export async function deleteAllTransfers(tx: Tx): Promise<void> {
  await tx.query(REMOVE_ALL)
}

const SELECT_ENDING = statement(
  'transfers.ending',
  `select ${COLUMNS} from project_transfers where due_at <= now() or not ${IS_OPEN} order by requested_at limit 100`,
)

export async function findEndingTransfers(db: Queryable): Promise<Transfer[]> {
  return db.query<Transfer>(SELECT_ENDING)
}

const TAKE_ENDING = statement(
  'transfers.take_ending',
  `delete from project_transfers where project_id = $1 and (due_at <= now() or not ${IS_OPEN}) returning ${COLUMNS}`,
)

/** Null if the transfer was cancelled or replaced, or if another process has ended it. */
export async function takeEndingTransfer(tx: Tx, projectId: string): Promise<Transfer | null> {
  const [row] = await tx.query<Transfer>(TAKE_ENDING, [projectId])
  return row ?? null
}
