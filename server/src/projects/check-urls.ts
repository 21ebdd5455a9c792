// A project's URLs on their way in: the rules on the text, then what DNS already says. Answers with the forms to store.
import type { FieldError } from '../lib/service-error.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { ProjectDeps } from './deps.ts'
import { resolvesToPrivate } from './resolve-check.ts'
import type { ParsedUrl } from './url-rules.ts'
import { parseCallbackUrl, parsePublicHttpsUrl, parseResultUrl } from './url-rules.ts'

/** A person waits for the answer; a name that takes longer is judged at delivery, where the guard fails closed. */
const DNS_TIMEOUT_MS = 1_500

export interface UrlsIn {
  resultUrl?: string | undefined
  apiUrl?: string | undefined
  testApiUrl?: string | null | undefined
}

type Rule = (text: string) => ParsedUrl

async function checkOne(
  deps: ProjectDeps,
  field: string,
  text: string,
  rule: Rule,
): Promise<string | FieldError> {
  const parsed = rule(text)
  if (parsed.problem !== null) return { path: field, code: `url_${parsed.problem}` }
  const isPublicOnly = rule !== parseResultUrl && !parsed.isExempt
  if (isPublicOnly && (await resolvesToPrivate(parsed.hostname, deps.resolver, DNS_TIMEOUT_MS))) {
    return { path: field, code: 'url_private_address' }
  }
  return parsed.href
}

/** On create the return URL may be any http(s) page; on update everything is public https only. */
export async function checkUrls<T extends UrlsIn>(
  deps: ProjectDeps,
  urls: T,
  on: 'create' | 'update',
): Promise<T> {
  const callback: Rule = (text) => parseCallbackUrl(text, deps.allowHosts)
  const result: Rule = on === 'create' ? parseResultUrl : (text) => parsePublicHttpsUrl(text, deps.allowHosts)
  const checked: T = { ...urls }
  const problems: FieldError[] = []
  for (const [field, rule] of [
    ['resultUrl', result],
    ['apiUrl', callback],
    ['testApiUrl', callback],
  ] as const) {
    const text = urls[field]
    if (text === undefined || text === null) continue
    const outcome = await checkOne(deps, field, text, rule)
    if (typeof outcome === 'string') checked[field] = outcome
    else problems.push(outcome)
  }
  if (problems.length > 0) throw new ServiceError('invalid_url', { fields: problems })
  return checked
}
