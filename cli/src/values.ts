// Checks values of options and arguments before they are sent.
import { CliError, UsageError } from './cli-error.ts'
import type { OptionName, Words } from './words.ts'

export function requireOneOf<T extends string>(
  { words, name, value }: { words: Words; name: string; value: string },
  allowed: readonly T[],
): T {
  const found = allowed.find((one) => one === value)
  if (found === undefined)
    throw new UsageError(words.usage.notOneOf(name, allowed.join(', ')), words.next.correct)
  return found
}

export function requireMode(words: Words, value: string): 'live' | 'test' {
  return requireOneOf({ words, name: '--mode', value }, ['live', 'test'])
}

export function requireWholeNumber(words: Words, name: OptionName, value: string): number {
  if (!/^\d{1,12}$/.test(value)) throw new UsageError(words.usage.notNumber(`--${name}`), words.next.correct)
  return Number(value)
}

export function requireUrl(words: Words, name: OptionName, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null
  if (
    url === null ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.username !== '' ||
    url.password !== ''
  ) {
    throw new UsageError(words.usage.notUrl(`--${name}`), words.next.correct)
  }
  return url.href
}

/** Returns the address of the service without slashes at the end, because routes are added to it. */
export function requireBase(words: Words, value: string): string {
  const address = requireUrl(words, 'base-url', value)
  // After ? or #, an added route would be a part of the query or the fragment.
  if (/[?#]/.test(address)) throw new UsageError(words.usage.notBase('--base-url'), words.next.correct)
  return removeEndSlashes(address)
}

export function removeEndSlashes(address: string): string {
  return address.replace(/\/+$/, '')
}

/**
 * Accepts only the form of an API token. A project's secret that was passed by mistake must not be sent, and characters
 * outside ASCII cannot be sent in a header.
 */
export function requireToken(words: Words, text: string): string {
  const { noToken, notToken, secretAsToken } = words.problems
  if (/^pat_[0-9A-Za-z_-]+$/.test(text)) return text
  if (text === '') throw new CliError(noToken, words.next.makeToken, { code: 'no_token' })
  const problem = text.startsWith('sk_') ? secretAsToken : notToken
  throw new CliError(problem, words.next.makeToken, { code: 'not_token' })
}
