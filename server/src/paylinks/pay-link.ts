// Parses a pay link: the query of /pay, percent-decoded and otherwise unchanged.
import { hash } from 'node:crypto'
import {
  AMOUNT_PATTERN,
  customId as customIdRule,
  DATA_MAX_BYTES,
  projectId as projectIdRule,
} from '@pazar/contract'
import type { Mode } from '@pazar/contract'
import { payLinkMessage } from '@pazar/sdk'
import type { PayLinkFields } from '@pazar/sdk'
import type { Query } from '../http/query.ts'
import type { FieldError } from '../lib/service-error.ts'
import { ServiceError } from '../lib/service-error.ts'

export interface PayLink {
  projectId: string
  /** The amount is a text, because the signature covers exactly these digits. */
  amount: string
  data: string
  customId: string | null
  mode: Mode
  exp: string | null
  sig: string | null
}

const OWN_PARAMETERS = ['amount', 'project', 'data', 'customId', 'mode', 'lang', 'exp', 'sig'] as const
type Parameter = (typeof OWN_PARAMETERS)[number]

type Rule = (value: string | null) => string | null

/** A rule returns the code of the problem, or null if there is none. `value` is null if the parameter is missing. */
const RULES: Readonly<Record<Exclude<Parameter, 'lang'>, Rule>> = {
  amount: (value) => (value === null ? 'required' : AMOUNT_PATTERN.test(value) ? null : 'amount'),
  project: (value) =>
    value === null ? 'required' : projectIdRule.safeParse(value).success ? null : 'invalid',
  data: (value) =>
    value === null ? 'required' : Buffer.byteLength(value) > DATA_MAX_BYTES ? 'too_many_bytes' : null,
  customId: (value) => (value === null || customIdRule.safeParse(value).success ? null : 'invalid'),
  mode: (value) => (value === null || value === 'test' || value === 'live' ? null : 'invalid'),
  exp: (value) => (value === null || /^[1-9][0-9]{0,11}$/.test(value) ? null : 'invalid'),
  // Only the length is checked here; require-signature.ts checks the signature.
  sig: (value) => (value === null || value.length <= 200 ? null : 'invalid'),
}

export function parsePayLink(query: Query): PayLink {
  if (query.problem)
    throw new ServiceError('invalid_request', { fields: [{ path: 'query', code: query.problem }] })
  const problems: FieldError[] = []
  const values = new Map<Parameter, string | null>()
  for (const name of OWN_PARAMETERS) {
    const occurrences = query.all(name)
    if (occurrences.length > 1) problems.push({ path: name, code: 'duplicate_parameter' })
    const value = occurrences[0] ?? null
    values.set(name, value)
    const code = name === 'lang' || occurrences.length > 1 ? null : RULES[name](value)
    if (code)
      problems.push(
        code === 'too_many_bytes'
          ? { path: name, code, params: { max: DATA_MAX_BYTES } }
          : { path: name, code },
      )
  }
  if (problems.length > 0) throw new ServiceError('invalid_request', { fields: problems })
  return {
    projectId: values.get('project')!,
    amount: values.get('amount')!,
    data: values.get('data')!,
    customId: values.get('customId') ?? null,
    mode: values.get('mode') === 'test' ? 'test' : 'live',
    exp: values.get('exp') ?? null,
    sig: values.get('sig') ?? null,
  }
}

export function toSignedFields(link: PayLink): PayLinkFields {
  return {
    amount: link.amount,
    project: link.projectId,
    data: link.data,
    customId: link.customId ?? undefined,
    mode: link.mode,
    exp: link.exp ?? undefined,
  }
}

const linkKeys = new WeakMap<PayLink, string>()

/** A short hash of what is bought. The hash does not change if the link is signed again or gets another expiry date. */
export function toLinkKey(link: PayLink): string {
  const cached = linkKeys.get(link)
  if (cached !== undefined) return cached
  const message = payLinkMessage({ ...toSignedFields(link), exp: undefined })
  const key = hash('sha256', message, 'base64url').slice(0, 16)
  linkKeys.set(link, key)
  return key
}

export function toPayPath(link: PayLink, lang: string | null): string {
  const pairs: [Parameter, string | null][] = [
    ['amount', link.amount],
    ['project', link.projectId],
    ['data', link.data],
    ['customId', link.customId],
    ['mode', link.mode === 'test' ? 'test' : null],
    ['exp', link.exp],
    ['sig', link.sig],
    ['lang', lang],
  ]
  const query = pairs.flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return `/pay?${query.join('&')}`
}

export function requireNotExpired(link: PayLink, nowSec: number): void {
  if (link.exp !== null && Number(link.exp) <= nowSec) throw new ServiceError('link_expired')
}
