import { catalogue, SAMPLE_LANGUAGES } from '@pazar/words'
import type { Locale } from '@pazar/words'
import { escapeHtml } from '../lib/html.ts'

const OTHER_LANGUAGES: Readonly<Record<string, string>> = { js: 'JavaScript', json: 'JSON' }

export function findLanguage(fence: string) {
  return SAMPLE_LANGUAGES.find(({ id, ending }) => id === fence || ending === fence)
}

/**
 * The file name that is shown above a block: the value of the attribute `file`. Without `file`, the value of the attribute
 * `sample` with the file ending of the block's language, such as `verify.py`.
 */
function findFile(lang: string, attributes: readonly string[]): string | undefined {
  const valueOf = (name: string) =>
    attributes.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1)
  const group = valueOf('sample')
  return valueOf('file') ?? (group && `${group}.${findLanguage(lang)?.ending ?? lang}`)
}

/** A block with the class `output` gets no copy button. */
export function toBlockAttributes(lang: string, attributes: readonly string[], locale: Locale): string {
  const { output, response, terminal } = catalogue(locale).docs
  const file = findFile(lang, attributes)
  if (lang === 'sh' && file === undefined) return ` data-label="${terminal}"`
  if (file !== undefined) return ` class="named" data-label="${escapeHtml(file)}"`
  if (lang === 'text') return ` class="output" data-label="${output}"`
  const isExample = attributes.includes('response') || attributes.includes('example')
  if (lang === 'json' && isExample) return ` class="output" data-label="${response}"`
  const language = findLanguage(lang)?.name ?? OTHER_LANGUAGES[lang]
  return isExample || language === undefined ? '' : ` data-label="${language}"`
}
