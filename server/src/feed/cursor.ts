// A cursor names a position in the events of one project, and the epoch in which the position was given. After a
// restore of the database, feed-store.ts starts a new epoch, and list-events.ts refuses cursors of earlier epochs (410).

export interface Cursor {
  epoch: string
  projectId: string
  position: bigint
}

const CURSOR = /^1 ([0-9a-f]{32}) ([a-z0-9]{2,32}) (0|[1-9][0-9]{0,17})$/

/** The text is opaque for clients, so that we can change what it contains. */
export function toCursorText({ epoch, projectId, position }: Cursor): string {
  return Buffer.from(`1 ${epoch} ${projectId} ${position}`).toString('base64url')
}

/** Null if this service did not write the text. */
export function parseCursor(text: string): Cursor | null {
  const [, epoch, projectId, position] = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? []
  if (!epoch || !projectId || !position) return null
  const cursor = { epoch, projectId, position: BigInt(position) }
  // Node skips invalid characters in base64, so several texts would decode to the same cursor. Only the text that was issued
  // is accepted.
  return toCursorText(cursor) === text ? cursor : null
}
