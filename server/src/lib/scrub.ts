// Removes texts that look like secrets from log lines, from excerpts of merchants' responses, and from what the
// assistant's model gets and returns. So a mistake elsewhere does not reveal a secret.
const REMOVED = '[removed]'

/**
 * The end of an escape that may stand directly before a secret: \n, \u000a, \x0a, %3D, %253D, or a colour such as [31m. A
 * log line is JSON, so each of its line breaks is such an escape.
 */
const ESCAPE_END = String.raw`((?<=\\)(?:[abefnrtv0]|x[\dA-Fa-f]{2})|(?<=[\\%])u[\dA-Fa-f]{4}|(?<=%)(?:25){0,3}[\dA-Fa-f]{2}|(?<=[[;])\d{0,3}m|)`

const SECRETS_WITH_PREFIX = new RegExp(
  String.raw`\b${ESCAPE_END}(?:[sr]k_(?:live|test)_[\w-]{8,}|whsec_[\w+/-]{16,}|pat_[\w-]{8,}|v1,[A-Za-z0-9+/]{43}=)`,
  'g',
)
/**
 * A backslash directly before a quote belongs to the quote. Any other backslash may escape a character of the hash, for
 * example a slash.
 */
const PASSWORD_HASHES = /\$argon2id\$(?:[^\s"'\\]|\\+[^\s"'\\])*/g
/** 32 bytes in base64url: session, step-up, device and mailed tokens, and pay-link signatures. */
const TOKENS = new RegExp(String.raw`(?<![\w-])${ESCAPE_END}[\w-]{43}(?![\w-])`, 'g')

const JSON_ESCAPE = /\\(?:[bfnrt]|u[\dA-Fa-f]{4})/y
const JSON_ESCAPE_LENGTH_MAX = 6

/**
 * In a log line, a text that looks like a secret may begin in the middle of an escape: in \n and 42 letters, the n and the
 * letters look like a token. If the n were removed, the line would not be valid JSON. Returns where the escape ends, or
 * `start` if no escape reaches beyond `start`.
 */
function skipEscape(text: string, start: number): number {
  for (let at = start - 1; at >= 0 && start - at < JSON_ESCAPE_LENGTH_MAX; at -= 1) {
    if (text[at] !== '\\') continue
    JSON_ESCAPE.lastIndex = at
    const end = at + (JSON_ESCAPE.exec(text)?.[0].length ?? 0)
    // The second of two backslashes begins no escape.
    return end > start && isOddBackslash(text, at) ? end : start
  }
  return start
}

function isOddBackslash(text: string, at: number): boolean {
  let first = at
  while (text[first - 1] === '\\') first -= 1
  return (at - first) % 2 === 0
}

function withoutMatch(match: string, escape: string, offset: number, text: string): string {
  const end = skipEscape(text, offset + escape.length)
  return match.slice(0, end - offset) + REMOVED
}

/** Characters that a JWT can have. A JWT is three parts with dots between them, and the first begins with JWT_START. */
const JWT_CHARACTERS = /[A-Za-z0-9_.-]{5,}/g
const JWT_START = 'eyJ'

/**
 * There is no pattern for the whole JWT, because it would be tried again at every "eyJ". A response with thousands of
 * "eyJ" would block the process.
 */
function withoutJwt(run: string, offset: number, text: string): string {
  if (!run.includes(JWT_START)) return run
  const parts = run.split('.')
  const headIndex = parts.findIndex((part, index) => index < parts.length - 2 && part.includes(JWT_START))
  if (headIndex < 0) return run
  const textBefore = parts[headIndex]!.slice(0, parts[headIndex]!.indexOf(JWT_START))
  const { length } = [...parts.slice(0, headIndex), textBefore].join('.')
  return run.slice(0, skipEscape(text, offset + length) - offset) + REMOVED
}

export function scrubSecrets(text: string): string {
  const clean = text.includes(JWT_START) ? text.replace(JWT_CHARACTERS, withoutJwt) : text
  return clean
    .replace(SECRETS_WITH_PREFIX, withoutMatch)
    .replace(PASSWORD_HASHES, REMOVED)
    .replace(TOKENS, withoutMatch)
}
