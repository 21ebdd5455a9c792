// Removes texts that look like secrets from log lines, from excerpts of merchants' responses, and from what the
// assistant's model gets and returns. So a mistake elsewhere does not reveal a secret.
const REMOVED = '[removed]'

const SECRET_PATTERNS: readonly RegExp[] = [
  /\b[sr]k_(?:live|test)_[A-Za-z0-9_-]{8,}/g,
  /\bwhsec_[A-Za-z0-9+/_-]{16,}/g,
  /\bpat_[A-Za-z0-9_-]{8,}/g,
  /\bv1,[A-Za-z0-9+/]{43}=/g,
  /\$argon2id\$[^\s"']*/g,
  // 32 bytes in base64url: session, step-up, device and mailed tokens, and pay-link signatures.
  /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g,
]

/** Characters that a JWT can have. A JWT is three parts with dots between them, and the first begins with JWT_START. */
const JWT_CHARACTERS = /[A-Za-z0-9_.-]{5,}/g
const JWT_START = 'eyJ'

/**
 * There is no pattern for the whole JWT, because it would be tried again at every "eyJ". A response with thousands of
 * "eyJ" would block the process.
 */
function withoutJwt(run: string): string {
  if (!run.includes(JWT_START)) return run
  const parts = run.split('.')
  const headIndex = parts.findIndex((part, index) => index < parts.length - 2 && part.includes(JWT_START))
  if (headIndex < 0) return run
  const textBefore = parts[headIndex]!.slice(0, parts[headIndex]!.indexOf(JWT_START))
  return [...parts.slice(0, headIndex), textBefore].join('.') + REMOVED
}

export function scrubSecrets(text: string): string {
  const clean = text.includes(JWT_START) ? text.replace(JWT_CHARACTERS, withoutJwt) : text
  return SECRET_PATTERNS.reduce((rest, pattern) => rest.replace(pattern, REMOVED), clean)
}
