// Plurals. Montenegrin has three forms: 1 sat, 2 sata, 5 sati, and again 21 sat.
import { INTL_TAG } from './locale.ts'
import type { Locale } from './locale.ts'

export interface EnglishForms {
  one: string
  other: string
}

export interface PluralForms extends EnglishForms {
  few: string
}

const rules: Readonly<Record<Locale, Intl.PluralRules>> = {
  cnr: new Intl.PluralRules(INTL_TAG.cnr),
  en: new Intl.PluralRules(INTL_TAG.en),
}

/** Returns one of the forms, without the number. The caller writes the number. */
export function plural(locale: 'en', n: number, forms: EnglishForms): string
export function plural(locale: Locale, n: number, forms: PluralForms): string
export function plural(locale: Locale, n: number, forms: EnglishForms & { few?: string }): string {
  const category = rules[locale].select(n)
  if (category === 'one') return forms.one
  return category === 'few' ? (forms.few ?? forms.other) : forms.other
}
