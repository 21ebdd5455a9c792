// Says how the payer pays and what happens after a click on Pay, based on what the upstream declares.
import type { Mode } from '@pazar/contract'
import type { Catalogue } from '@pazar/words'
import type { Backend } from '../backends/backend.ts'
import type { CheckoutDeps } from './deps.ts'

type CheckoutWords = Catalogue['checkout']

export interface StepTexts {
  /** Null: the upstream declares neither a method that can be shown nor the name of its page. */
  method: string | null
  after: string
  note: string | null
  /** No money moves at this upstream. */
  isSimulated: boolean
}

/** Payers would not read a longer list. */
const METHODS_SHOWN_MAX = 4

/** Translates a known name of a method. Any other name is shown unchanged if it is a short text. */
function toMethodName({ methods }: CheckoutWords['steps'], name: string): string | null {
  const known: Readonly<Record<string, string>> = methods
  if (Object.hasOwn(known, name)) return known[name]!
  return /^[\p{L}\p{N}][\p{L}\p{N} .&+-]{0,23}$/u.test(name) ? name : null
}

function toMethods(words: CheckoutWords['steps'], methods: readonly string[]): string | null {
  const names = methods.map((name) => toMethodName(words, name)).filter((name) => name !== null)
  return [...new Set(names)].slice(0, METHODS_SHOWN_MAX).join(', ') || null
}

export function toStepTexts(
  { steps }: CheckoutWords,
  { name, describeSteps }: Pick<Backend, 'name' | 'describeSteps'>,
): StepTexts {
  if (name === 'sandbox')
    return { method: steps.simulated, after: steps.afterSimulated, note: null, isSimulated: true }
  const { pageName, methods } = describeSteps?.() ?? { pageName: null, methods: [] }
  const method = toMethods(steps, methods) ?? pageName
  if (pageName !== null) return { method, after: steps.afterPage(pageName), note: null, isSimulated: false }
  return { method, after: steps.afterBank, note: steps.noCardHere, isSimulated: false }
}

export function createStepTexts(
  { backends }: Pick<CheckoutDeps, 'backends'>,
  words: CheckoutWords,
): (mode: Mode) => StepTexts {
  return (mode) => toStepTexts(words, backends[mode])
}
