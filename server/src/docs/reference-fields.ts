import type { Catalogue } from '@pazar/words'
import type { ApiDocument, ApiSchema } from './openapi-document.ts'

type Words = Catalogue['docs']['reference']

export interface Field {
  name: string
  type: string
  isRequired: boolean
  meaning: string
}

export function resolve(document: ApiDocument, schema: ApiSchema): ApiSchema {
  const name = schema.$ref?.split('/').at(-1)
  const resolved = name === undefined ? schema : document.components.schemas[name]
  if (!resolved) throw new Error(`The OpenAPI document has no schema ${name}.`)
  return resolved
}

function isNull(schema: ApiSchema): boolean {
  return schema.type === 'null'
}

function withoutNull(schema: ApiSchema): ApiSchema {
  const forms = schema.anyOf?.filter((one) => !isNull(one)) ?? []
  return forms.length === 1
    ? { ...forms[0], ...(schema.description ? { description: schema.description } : {}) }
    : schema
}

function toType(document: ApiDocument, given: ApiSchema, words: Words): string {
  const orNull = given.anyOf?.some(isNull) || (Array.isArray(given.type) && given.type.includes('null'))
  const schema = resolve(document, withoutNull(given))
  const toNonNullType = (): string => {
    if (schema.format === 'binary') return words.image
    if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ')
    if (schema.const !== undefined) return `\`${String(schema.const)}\``
    if (schema.items) return `${words.listOf} ${toType(document, schema.items, words)}`
    const forms = (schema.anyOf ?? []).filter((form) => form.type !== undefined)
    if (forms.length > 0) return forms.map((form) => toType(document, form, words)).join(` ${words.or} `)
    return [schema.type ?? []]
      .flat()
      .filter((type) => type !== 'null')
      .join(` ${words.or} `)
  }
  return orNull ? `${toNonNullType()} ${words.or} null` : toNonNullType()
}

function toLimits(schema: ApiSchema, words: Words): string[] {
  const { minLength, maxLength, minimum, maximum } = schema
  const limits: string[] = []
  if (maxLength !== undefined)
    limits.push(minLength ? words.lengths(minLength, maxLength) : words.upTo(maxLength))
  // An integer without a limit of its own has the range of safe integers, and that range is not shown.
  if (minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER)
    limits.push(words.range(String(minimum), String(maximum)))
  if (schema.default !== undefined) limits.push(words.fallback(`\`${String(schema.default)}\``))
  return limits
}

export function toSentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`
}

/** The meaning of a field by its name. If `a.b.c` has no text, the text of `b.c` is used, and otherwise the text of `c`. */
function findMeaning(name: string, words: Words): string | null {
  const parts = name.replaceAll('[]', '').split('.')
  for (const index of parts.keys()) {
    const text = words.fieldText(parts.slice(index).join('.'))
    if (text !== null) return text
  }
  return null
}

/** This description says only in which format a time is, so the field's meaning is put in front. */
const TIME = 'ISO 8601, UTC, milliseconds'

function toOwnText(own: string, name: string, words: Words): string {
  const meaning = own === TIME ? findMeaning(name, words) : null
  return meaning === null ? words.about(own) : `${meaning} (ISO 8601, UTC)`
}

export function describeSchema(
  document: ApiDocument,
  name: string,
  given: ApiSchema,
  words: Words,
): Pick<Field, 'type' | 'meaning'> {
  const schema = withoutNull(given)
  const own = schema.description ?? resolve(document, schema).description
  const text = own === undefined ? findMeaning(name, words) : toOwnText(own, name, words)
  const description = text === null ? [] : [toSentence(text)]
  return {
    type: toType(document, given, words),
    meaning: [...description, ...toLimits(schema, words)].join(' '),
  }
}

export function fieldsOf(document: ApiDocument, given: ApiSchema, words: Words, prefix = ''): Field[] {
  const schema = resolve(document, given)
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const name = `${prefix}${key}`
    const field = {
      name,
      isRequired: schema.required?.includes(key) ?? false,
      ...describeSchema(document, name, property, words),
    }
    const inner = resolve(document, withoutNull(property))
    if (inner.items) return [field, ...fieldsOf(document, inner.items, words, `${name}[].`)]
    return [field, ...fieldsOf(document, inner, words, `${name}.`)]
  })
}
