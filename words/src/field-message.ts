// The sentence for a field with an error.
import { catalogue } from './catalogue.ts'
import type { Catalogue } from './catalogue-type.ts'
import { formatMoney } from './format.ts'
import type { Locale } from './locale.ts'

type Fields = Catalogue['fields']
export type FieldCode = keyof Fields

/** `left` is an amount with `currency` and `scale`. With `unit: 'unix_seconds'`, `min` and `max` are times. */
export type FieldFacts = Readonly<Partial<Record<string, string | number>>>

type FactName = 'min' | 'max' | 'values' | 'left'
type CodeWithFacts = { [K in FieldCode]: Fields[K] extends string ? never : K }[FieldCode]

const FACTS_NEEDED: Readonly<Record<CodeWithFacts, readonly FactName[]>> = {
  not_one_of: ['values'],
  too_short: ['min'],
  too_long: ['max'],
  too_many_bytes: ['max'],
  out_of_range: ['min', 'max'],
  too_small: ['min'],
  too_large: ['max'],
  range_too_long: ['max'],
  refund_left: ['left'],
  refund_daily_cap: ['left'],
}

/** An unknown code or missing facts give "not valid". */
export function fieldMessage(locale: Locale, code: string, facts: FieldFacts = {}): string {
  const { fields } = catalogue(locale)
  const knownCode = toKnownCode(fields, code, facts)
  if (!needsFacts(knownCode)) return fields[knownCode]
  if (FACTS_NEEDED[knownCode].some((name) => facts[name] === undefined)) return fields.invalid
  return fields[knownCode]({
    min: Number(facts.min),
    max: Number(facts.max),
    values: String(facts.values),
    left: facts.left === undefined ? '' : toMoney(locale, facts),
  })
}

function toMoney(locale: Locale, { left = 0, currency = 'EUR', scale = 2 }: FieldFacts): string {
  return formatMoney(locale, BigInt(left), String(currency), Number(scale))
}

function toKnownCode(fields: Fields, code: string, facts: FieldFacts): FieldCode {
  // A number of seconds would tell the reader nothing.
  if (code === 'out_of_range' && facts['unit'] === 'unix_seconds') return 'time_passed'
  // A schema often reports only the bound that was violated.
  if (code === 'out_of_range' && facts.max === undefined) return 'too_small'
  if (code === 'out_of_range' && facts.min === undefined) return 'too_large'
  return isFieldCode(fields, code) ? code : 'invalid'
}

function isFieldCode(fields: Fields, code: string): code is FieldCode {
  return Object.hasOwn(fields, code)
}

function needsFacts(code: FieldCode): code is CodeWithFacts {
  return Object.hasOwn(FACTS_NEEDED, code)
}
