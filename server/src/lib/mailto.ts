/** An address may contain `?` or `%`, which have another meaning in a URL. */
export function toMailtoUrl(email: string): string {
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}`
}
