/** An address may contain `?` or `%`, which must be encoded in a URL. */
export function toMailtoUrl(email: string): string {
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}`
}
