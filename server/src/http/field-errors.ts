// Maps the issues of the schema library to our own field codes. The library's English messages are not sent.
import type { FastifyError } from 'fastify'
import type { FieldError } from '../lib/service-error.ts'

type Issue = NonNullable<FastifyError['validation']>[number]

function toList(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function toNumber(value: unknown): number {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0
}

const RECEIVED_NOTHING = /received undefined/

/** A union reports the issues of each of its types. A missing field is missing for all these types. */
function isMissing(errors: unknown): boolean {
  const types: unknown[] = Array.isArray(errors) ? errors : []
  return types.length > 0 && types.every((issues) => RECEIVED_NOTHING.test(JSON.stringify(issues)))
}

function toCode(issue: Issue): Omit<FieldError, 'path'> {
  const params = issue.params
  switch (issue.keyword) {
    case 'invalid_type':
      return { code: RECEIVED_NOTHING.test(issue.message ?? '') ? 'required' : 'wrong_type' }
    case 'invalid_union':
      return { code: isMissing(params['errors']) ? 'required' : 'invalid' }
    case 'too_small':
      if (params['origin'] === 'string')
        return toNumber(params['minimum']) === 1
          ? { code: 'required' }
          : { code: 'too_short', params: { min: toNumber(params['minimum']) } }
      return { code: 'out_of_range', params: { min: toNumber(params['minimum']) } }
    case 'too_big':
      if (params['origin'] === 'string')
        return { code: 'too_long', params: { max: toNumber(params['maximum']) } }
      return { code: 'out_of_range', params: { max: toNumber(params['maximum']) } }
    case 'custom': {
      const ownParams = params['params']
      if (
        typeof ownParams === 'object' &&
        ownParams !== null &&
        'code' in ownParams &&
        typeof ownParams.code === 'string'
      ) {
        const { code, ...rest } = ownParams
        return { code, params: rest }
      }
      return { code: 'invalid' }
    }
    case 'invalid_value':
      return { code: 'not_one_of', params: { values: toList(params['values']).join(', ') } }
    default:
      return { code: 'invalid' }
  }
}

function toFieldError(issue: Issue): FieldError[] {
  const path = issue.instancePath.split('/').filter(Boolean).join('.')
  if (issue.keyword === 'unrecognized_keys') {
    return toList(issue.params['keys']).map((key) => ({
      path: path ? `${path}.${key}` : key,
      code: 'unknown_field',
    }))
  }
  return [{ path, ...toCode(issue) }]
}

export function toFieldErrors(issues: readonly Issue[]): FieldError[] {
  // The library limits every integer. If our own rule on the same field is broken too, our rule is reported.
  const isLibraryLimit = (one: Issue) => one.params['origin'] === 'int'
  const all = issues
    .toSorted((a, b) => Number(isLibraryLimit(a)) - Number(isLibraryLimit(b)))
    .flatMap(toFieldError)
  // Only the first problem of each field is reported. The paths are a set, because a body can name thousands of fields.
  const paths = new Set<string>()
  return all.filter(({ path }) => !paths.has(path) && paths.add(path))
}
