// Ids and tokens. Most ids of rows are UUIDv7, which sort by time, so that new rows are at the end of an index.
import { randomBytes, randomFillSync } from 'node:crypto'
import type { Clock } from './clock.ts'

/** Matches a UUID of any version, in lower case. */
export const UUID_PATTERN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function toUuidV7(bytes: Buffer, atMs: number): string {
  bytes.writeUIntBE(atMs, 0, 6)
  bytes[6] = 0x70 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The counter has 12 bits. */
const COUNT_MASK = 0xfff
/** The counter starts in the lower half of its range, so at least 2,048 more ids of the same millisecond fit. */
const FIRST_COUNT_MASK = 0x7ff
const lastId = { atMs: -1, count: 0 }

/**
 * Ids that a process makes in the same millisecond sort in the order in which they were made: the 12 bits after the time
 * are a counter with a random start. After 2,048 ids in a millisecond the order can be lost; 62 random bits keep ids unique.
 */
export function newUuidV7(clock: Clock): string {
  const bytes = randomBytes(16)
  const atMs = clock.nowMs()
  lastId.count =
    atMs === lastId.atMs ? (lastId.count + 1) & COUNT_MASK : bytes.readUInt16BE(6) & FIRST_COUNT_MASK
  lastId.atMs = atMs
  bytes.writeUInt16BE(lastId.count, 6)
  return toUuidV7(bytes, atMs)
}

/** The smallest id of that time: every id made then or later is the same or greater. */
export function toFirstUuidV7(atMs: number): string {
  return toUuidV7(Buffer.alloc(16), Math.max(0, Math.floor(atMs)))
}

/** A refund's id in the API. In the database and at upstreams, the id is the UUID. */
export function toRefundId(uuid: string): string {
  return `re_${uuid.replaceAll('-', '')}`
}

export function toDisputeId(uuid: string): string {
  return `dp_${uuid.replaceAll('-', '')}`
}

/** 256 random bits, for cookies and mailed links. A token gives access, so nobody must be able to guess it. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

const REQUEST_ID_BYTES = 8
/** Random bytes are generated in blocks, because four thousand cost as much as eight. Each byte is used once. */
const requestIds = { bytes: Buffer.alloc(REQUEST_ID_BYTES * 512), at: REQUEST_ID_BYTES * 512 }

export function newRequestId(): string {
  if (requestIds.at === requestIds.bytes.length) {
    randomFillSync(requestIds.bytes)
    requestIds.at = 0
  }
  requestIds.at += REQUEST_ID_BYTES
  return requestIds.bytes.toString('hex', requestIds.at - REQUEST_ID_BYTES, requestIds.at)
}

/** The webhook-id of a callback. Callbacks sort by this id nearly in the order in which they were made. */
export function newCallbackId(clock: Clock): string {
  return `msg_${newUuidV7(clock).replaceAll('-', '')}`
}
