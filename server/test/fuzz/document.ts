// Reads the service's OpenAPI document and compares responses with it.
import type { Http } from '../../src/http/server.ts'
import type { ClientResponse } from '../client.ts'

export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  anyOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

interface Media {
  schema: JsonSchema
}

export interface Parameter {
  in: 'query' | 'path' | 'header'
  name: string
  required: boolean
  schema: JsonSchema
}

export interface Operation {
  operationId?: string
  tags?: string[]
  security?: object[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, { description: string; content?: Record<string, Media> }>
}

export interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema> }
}

export interface DocumentedRoute {
  method: 'GET' | 'POST'
  url: string
  operation: Operation
}

export async function readDocument(app: Http): Promise<Document> {
  return (await app.inject('/openapi.json')).json<Document>()
}

export function routesOf(document: Document): DocumentedRoute[] {
  return Object.entries(document.paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method === 'post' ? ('POST' as const) : ('GET' as const),
      url,
      operation,
    })),
  )
}

export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

export function typesOf(schema: JsonSchema): string[] {
  return [schema.type ?? [], ...(schema.anyOf ?? []).map(typesOf)].flat()
}

/** The first difference between a value and its schema, or null. Ignores limits such as `maxLength` and `minimum`. */
export function findMismatch(
  document: Document,
  schema: JsonSchema,
  value: unknown,
  at = 'body',
): string | null {
  const ref = schema.$ref?.split('/').at(-1)
  if (ref !== undefined) {
    const target = document.components.schemas[ref]
    return target ? findMismatch(document, target, value, at) : `${at}: ${ref} is not described`
  }
  if (schema.anyOf && !schema.anyOf.some((one) => findMismatch(document, one, value, at) === null))
    return `${at}: none of the ${schema.anyOf.length} forms fits`
  const types = [schema.type ?? []].flat()
  const type = typeOf(value)
  if (types.length > 0 && !types.includes(type) && !(type === 'integer' && types.includes('number')))
    return `${at}: ${type} instead of ${types.join(' or ')}`
  if (schema.enum && !schema.enum.includes(value)) return `${at}: not one of ${schema.enum.join(', ')}`
  if (schema.const !== undefined && schema.const !== value)
    return `${at}: not ${JSON.stringify(schema.const)}`
  if (typeof value === 'string' && schema.pattern && !new RegExp(schema.pattern, 'u').test(value))
    return `${at}: does not match ${schema.pattern}`
  if (Array.isArray(value)) return findInside(document, value, at, () => schema.items)
  if (typeof value !== 'object' || value === null) return null
  const missing = schema.required?.find((name) => !Object.hasOwn(value, name))
  if (missing !== undefined) return `${at}.${missing}: missing`
  // The document allows further fields in responses of later releases, but it must describe every field of this release.
  const others = schema.additionalProperties ?? (schema.properties ? false : undefined)
  return findInside(document, value, at, (name) => schema.properties?.[name] ?? others)
}

function findInside(
  document: Document,
  value: object,
  at: string,
  schemaOf: (name: string) => JsonSchema | boolean | undefined,
): string | null {
  for (const [name, inner] of Object.entries(value)) {
    const schema = schemaOf(name)
    if (schema === false) return `${at}.${name}: not described`
    const found = typeof schema === 'object' ? findMismatch(document, schema, inner, `${at}.${name}`) : null
    if (found) return found
  }
  return null
}

/** How a response differs from the responses that the document describes for this route. Null: it does not differ. */
export function findUndescribed(
  document: Document,
  { operation }: DocumentedRoute,
  response: ClientResponse,
): string | null {
  const described = operation.responses[response.status]
  if (!described) return `status ${response.status} is not described`
  const type = String(response.headers['content-type']).split(';')[0]!
  const media = described.content?.[type]
  if (!media) return `${type} is not described for ${response.status}`
  if (!type.endsWith('json')) return null
  const mismatch = findMismatch(document, media.schema, response.json())
  if (mismatch || response.status < 400) return mismatch
  const problem = response.json<{ code: string; status: number }>()
  if (problem.status !== response.status)
    return `a problem of ${problem.status} with status ${response.status}`
  return described.description.split(', ').includes(problem.code) ? null : `${problem.code} is not described`
}
