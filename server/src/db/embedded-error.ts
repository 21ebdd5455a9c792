// What the embedded database refuses with: a sentence that a person can act on, printed as it stands.
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'
}

/** The system's short name of an error (`ENOENT`, `28P01`), or '' when it carries none. */
export function toErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
