// Takes out of any text whatever is shaped like a secret of ours. The last step before a log line or a stored
// excerpt of a shop's answer, so that a mistake further up cannot put a secret on disk.
const REMOVED = '[removed]'

const SHAPES: readonly RegExp[] = [
  /\bsk_(?:live|test)_[A-Za-z0-9]{8,}/g,
  /\bpat_[A-Za-z0-9_-]{8,}/g,
  // A compact JWT: three base64url parts, the first of which is always an encoded object.
  /\beyJ[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*/g,
  /\bv1,[A-Za-z0-9+/]{43}=/g,
  /\$argon2id\$[^\s"']*/g,
  // 32 bytes in base64url: session, step-up, device and mailed tokens, and pay-link signatures.
  /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g,
]

export function scrubSecrets(text: string): string {
  return SHAPES.reduce((clean, shape) => clean.replace(shape, REMOVED), text)
}
