import { cnr } from './cnr.ts'
import { en } from './en.ts'
import type { Catalogue } from './en.ts'
import type { Locale } from './locale.ts'

const CATALOGUES: Readonly<Record<Locale, Catalogue>> = { cnr, en }

export function catalogue(locale: Locale): Catalogue {
  return CATALOGUES[locale]
}
