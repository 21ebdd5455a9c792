import type { Catalogue } from './catalogue-type.ts'
import * as cnr from './cnr.ts'
import * as en from './en.ts'
import type { Locale } from './locale.ts'

const CATALOGUES: Readonly<Record<Locale, Catalogue>> = { cnr, en }

export function catalogue(locale: Locale): Catalogue {
  return CATALOGUES[locale]
}
