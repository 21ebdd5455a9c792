// Lists every text of one language with its key, for the lint and for reviewers.
import { catalogue } from './catalogue.ts'
import { samplesFor } from './samples.ts'
import type { Locale } from './locale.ts'

export interface Text {
  /** For example "checkout.labels.amount". After a function, "(n)" is the number of its call, counted from 0. */
  path: string
  text: string
}

export function textsOf(locale: Locale): Text[] {
  return [...walk(catalogue(locale), samplesFor(locale), '')]
}

function* walk(value: unknown, samples: unknown, path: string): Generator<Text> {
  if (typeof value === 'string') {
    yield { path, text: value }
  } else if (typeof value === 'function') {
    if (!Array.isArray(samples) || samples.length === 0) throw new Error(`No sample arguments for ${path}.`)
    for (const [index, args] of samples.entries()) {
      const result: unknown = Reflect.apply(value, undefined, args)
      yield* walk(result, undefined, `${path}(${index})`)
    }
  } else if (isGroup(value)) {
    for (const [key, inner] of Object.entries(value)) {
      yield* walk(inner, isGroup(samples) ? samples[key] : undefined, path ? `${path}.${key}` : key)
    }
  } else {
    throw new TypeError(`${path} is neither a text, nor a function, nor a group of them.`)
  }
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
