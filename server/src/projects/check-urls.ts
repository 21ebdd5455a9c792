// Checks a project's URLs when they are saved: first the text, then DNS, then whether the inbox may replace a server.
import type { FieldError } from '../lib/service-error.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { Tx } from '../db/pool.ts'
import type { ProjectDeps } from './deps.ts'
import type { Project } from './project.ts'
import type { UrlContext } from './own-urls.ts'
import { findOwnUrl, hasInbox, isOtherInbox } from './own-urls.ts'
import { resolvesToPrivate } from './resolve-check.ts'
import { isOwnMachine } from '../egress/url-hosts.ts'
import type { ParsedUrl, UrlProblem } from '../egress/url-rules.ts'
import { parseCallbackUrl, parsePublicHttpsUrl, parseResultUrl } from '../egress/url-rules.ts'

/** A person waits for the response. A name that takes longer to resolve is checked only at delivery. */
const DNS_TIMEOUT_MS = 1_500

export interface UrlsIn {
  resultUrl?: string | undefined
  apiUrl?: string | undefined
  testApiUrl?: string | null | undefined
}

type Rule = (text: string) => ParsedUrl
type UrlField = keyof UrlsIn

const RULES_OF_PUBLIC_ADDRESSES: ReadonlySet<UrlProblem> = new Set(['scheme', 'host_name', 'private_address'])

export function toUrlCode(field: UrlField, text: string, problem: UrlProblem): string {
  const url = /^https?:/i.test(text) ? URL.parse(text) : null
  if (!url || !RULES_OF_PUBLIC_ADDRESSES.has(problem) || !isOwnMachine(url.hostname)) return `url_${problem}`
  return field === 'resultUrl' ? 'url_own_machine_page' : 'url_own_machine'
}

async function checkOne(
  deps: ProjectDeps,
  context: UrlContext,
  { field, text, rule }: { field: UrlField; text: string; rule: Rule },
): Promise<string | FieldError> {
  const ownUrl = findOwnUrl(context, field, text)
  if (ownUrl !== null) return ownUrl
  if (field !== 'resultUrl' && isOtherInbox(context, text)) return { path: field, code: 'url_inbox' }
  const parsed = rule(text)
  if (parsed.problem !== null) return { path: field, code: toUrlCode(field, text, parsed.problem) }
  const isPublicOnly = rule !== parseResultUrl && !parsed.isExempt
  if (isPublicOnly && (await resolvesToPrivate(parsed.hostname, deps.resolver, DNS_TIMEOUT_MS))) {
    return { path: field, code: 'url_private_address' }
  }
  return parsed.href
}

function isStored(text: string, stored: string | null | undefined): boolean {
  const parsed = parseResultUrl(text)
  return text === stored || (parsed.problem === null && parsed.href === stored)
}

/**
 * A new project may have any valid http(s) URL as `resultUrl`. A changed `resultUrl` must be a public https URL, a URL on
 * an allowed host, or the service's own result page. A URL that an update does not change is not checked again.
 */
export async function checkUrls<T extends UrlsIn>(
  deps: ProjectDeps,
  projectId: string,
  urls: T,
  stored: UrlsIn | null = null,
): Promise<T> {
  const context = { baseUrl: deps.config.baseUrl, projectId, isNew: stored === null }
  const callbackRule: Rule = (text) => parseCallbackUrl(text, deps.allowHosts)
  const resultRule: Rule = stored ? (text) => parsePublicHttpsUrl(text, deps.allowHosts) : parseResultUrl
  const checked: T = { ...urls }
  const problems: FieldError[] = []
  for (const [field, rule] of [
    ['resultUrl', resultRule],
    ['apiUrl', callbackRule],
    ['testApiUrl', callbackRule],
  ] as const) {
    const text = urls[field]
    if (text === undefined || text === null) continue
    if (stored && isStored(text, stored[field])) {
      // The field is not written again, because another request may have changed it since.
      checked[field] = undefined
      continue
    }
    const outcome = await checkOne(deps, context, { field, text, rule })
    if (typeof outcome === 'string') checked[field] = outcome
    else problems.push(outcome)
  }
  if (problems.length > 0) throw new ServiceError('invalid_url', { fields: problems })
  return checked
}

/** Refuses the inbox as `apiUrl` while callbacks of live payments are queued, because the inbox would not pass them on. */
export async function requireInboxAllowed(
  deps: ProjectDeps,
  tx: Tx,
  project: Pick<Project, 'id' | 'apiUrl'>,
): Promise<void> {
  if (!hasInbox(deps.config.baseUrl, project) || !(await deps.hasLiveQueued(tx, project.id))) return
  throw new ServiceError('invalid_url', { fields: [{ path: 'apiUrl', code: 'url_inbox_queued' }] })
}
