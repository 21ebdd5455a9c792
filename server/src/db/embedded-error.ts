// The message is a sentence for the operator, and is printed unchanged.
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'
}

export function toErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
