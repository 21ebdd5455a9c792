// A project's URLs on their way in: the rules on the text, then what DNS already says. Answers with the forms to store.
import type { FieldError } from '../lib/service-error.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { ProjectDeps } from './deps.ts'
import { resolvesToPrivate } from './resolve-check.ts'
import { isOwnMachine } from '../egress/url-hosts.ts'
import type { ParsedUrl, UrlProblem } from '../egress/url-rules.ts'
import { parseCallbackUrl, parsePublicHttpsUrl, parseResultUrl } from '../egress/url-rules.ts'

/** A person waits for the answer; a name that takes longer is judged at delivery, where the guard fails closed. */
const DNS_TIMEOUT_MS = 1_500

export interface UrlsIn {
  resultUrl?: string | undefined
  apiUrl?: string | undefined
  testApiUrl?: string | null | undefined
}

type Rule = (text: string) => ParsedUrl
type UrlField = keyof UrlsIn

/** Typical for a site that is still being built; the error says what to do instead of the bare rule. */
const RULES_OF_PUBLIC_ADDRESSES: ReadonlySet<UrlProblem> = new Set(['scheme', 'host_name', 'private_address'])

export function toUrlCode(field: UrlField, text: string, problem: UrlProblem): string {
  const url = /^https?:/i.test(text) ? URL.parse(text) : null
  if (!url || !RULES_OF_PUBLIC_ADDRESSES.has(problem) || !isOwnMachine(url.hostname)) return `url_${problem}`
  return field === 'resultUrl' ? 'url_own_machine_page' : 'url_own_machine'
}

async function checkOne(
  deps: ProjectDeps,
  field: UrlField,
  text: string,
  rule: Rule,
): Promise<string | FieldError> {
  const parsed = rule(text)
  if (parsed.problem !== null) return { path: field, code: toUrlCode(field, text, parsed.problem) }
  const isPublicOnly = rule !== parseResultUrl && !parsed.isExempt
  if (isPublicOnly && (await resolvesToPrivate(parsed.hostname, deps.resolver, DNS_TIMEOUT_MS))) {
    return { path: field, code: 'url_private_address' }
  }
  return parsed.href
}

/** Also in another spelling of the same address: `https://shop.me` is stored with its slash. */
function isStored(text: string, stored: string | null | undefined): boolean {
  const parsed = parseResultUrl(text)
  return text === stored || (parsed.problem === null && parsed.href === stored)
}

/**
 * When a project is added the return URL may be any http(s) page; what is changed must be public https. What an update
 * only repeats is no change, and no reason to refuse the rest of it.
 */
export async function checkUrls<T extends UrlsIn>(
  deps: ProjectDeps,
  urls: T,
  stored: UrlsIn | null = null,
): Promise<T> {
  const callback: Rule = (text) => parseCallbackUrl(text, deps.allowHosts)
  const result: Rule = stored ? (text) => parsePublicHttpsUrl(text, deps.allowHosts) : parseResultUrl
  const checked: T = { ...urls }
  const problems: FieldError[] = []
  for (const [field, rule] of [
    ['resultUrl', result],
    ['apiUrl', callback],
    ['testApiUrl', callback],
  ] as const) {
    const text = urls[field]
    if (text === undefined || text === null) continue
    if (stored && isStored(text, stored[field])) {
      // Left out rather than written once more: somebody else may have changed it meanwhile.
      checked[field] = undefined
      continue
    }
    const outcome = await checkOne(deps, field, text, rule)
    if (typeof outcome === 'string') checked[field] = outcome
    else problems.push(outcome)
  }
  if (problems.length > 0) throw new ServiceError('invalid_url', { fields: problems })
  return checked
}
