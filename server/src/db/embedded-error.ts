// An error of the embedded database. Its message is a sentence that says what to do, and is printed unchanged.
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'
}

/** The code of an error (`ENOENT`, `28P01`), or '' when it has none. */
export function toErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
