// Lists every text of one language with its key, for the lint and for reviewers.
import { catalogue } from './catalogue.ts'
import { samplesFor } from './samples.ts'
import type { Locale } from './locale.ts'

export interface Text {
  /** For example "checkout.labels.amount". If the text is a function, "(0)" follows, with the index of the sample call. */
  path: string
  text: string
}

export function textsOf(locale: Locale): Text[] {
  const samples = samplesFor(locale)
  return [...walk(catalogue(locale), locale === 'en' ? toEnglishFormats(samples) : samples, '')]
}

/** Amounts and times of the samples are written in the Montenegrin format. */
const ENGLISH_FORMATS: [cnr: RegExp, en: string][] = [
  [/(\d+),(\d\d)\s€/g, '€$1.$2'],
  [/(\d\d)\.07\.2026\. /g, '$1 Jul 2026, '],
  [/(\d\d)\.07\.$/g, '$1 Jul'],
]

function toEnglishFormats(sample: unknown): unknown {
  if (typeof sample === 'string')
    return ENGLISH_FORMATS.reduce((text, [cnr, en]) => text.replaceAll(cnr, en), sample)
  if (Array.isArray(sample)) return sample.map(toEnglishFormats)
  if (!isGroup(sample)) return sample
  return Object.fromEntries(Object.entries(sample).map(([key, value]) => [key, toEnglishFormats(value)]))
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
