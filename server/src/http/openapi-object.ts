import { STATUS_CODES } from 'node:http'

const METHODS = ['get', 'post'] as const
const REF = /^#\/components\/schemas\/(.+)$/

type Json = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function getChild(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined
}

type Change = (operation: Json) => Json

function changeOperations<T extends { paths?: object }>(document: T, change: Change): T {
  const paths = Object.entries(document.paths ?? {}).map(([url, item]: [string, unknown]) => {
    const changed = METHODS.flatMap((method) => {
      const operation = getChild(item, method)
      return isObject(operation) ? [[method, change(operation)]] : []
    })
    return [url, { ...(isObject(item) ? item : {}), ...Object.fromEntries(changed) }]
  })
  return { ...document, paths: Object.fromEntries(paths) }
}

/** A POST without a body counts as `{}`, so a body without required fields is optional. */
export function markOptionalBodies<T extends { paths?: object }>(document: T): T {
  return changeOperations(document, (operation) => {
    const requestBody = operation['requestBody']
    if (!isObject(requestBody)) return operation
    const media = Object.values(getChild(requestBody, 'content') ?? {})
    const isNeeded = media.some((one) => getChild(getChild(one, 'schema'), 'required') !== undefined)
    return { ...operation, requestBody: { ...requestBody, required: isNeeded } }
  })
}

function allowMoreFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(allowMoreFields)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(
    ([name, inner]) => name !== 'additionalProperties' || inner !== false,
  )
  return Object.fromEntries(kept.map(([name, inner]) => [name, allowMoreFields(inner)]))
}

const RETRY_AFTER = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } }

function completeResponse(status: string, response: unknown): unknown {
  if (!isObject(response)) return response
  const { description } = response
  return {
    ...response,
    description: description === 'Default Response' ? STATUS_CODES[status] : description,
    ...(status === '429' || status === '503' ? { headers: RETRY_AFTER } : {}),
  }
}

/**
 * Fields are added to responses without notice, so the schemas of responses must not forbid unknown fields. The schemas of
 * requests still forbid them. The schemas of `components` are changed too, because no request to us uses one of them.
 */
export function completeResponses<T extends { paths?: object; components?: object }>(document: T): T {
  const opened = changeOperations(document, (operation) => {
    const completed = Object.entries(operation['responses'] ?? {}).map(([status, one]) => [
      status,
      completeResponse(status, allowMoreFields(one)),
    ])
    return { ...operation, responses: Object.fromEntries(completed) }
  })
  return { ...opened, components: allowMoreFields(document.components) }
}

function collectRefs(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const one of value) collectRefs(one, found)
  if (!isObject(value)) return found
  for (const [name, inner] of Object.entries(value)) {
    const ref = name === '$ref' && typeof inner === 'string' ? REF.exec(inner)?.[1] : undefined
    if (ref === undefined) collectRefs(inner, found)
    else found.add(ref)
  }
  return found
}

/** Removes the schemas that only hidden routes use, because those routes are not in the document. */
export function removeUnusedSchemas<T extends { paths?: object; webhooks?: object; components?: object }>(
  document: T,
): T {
  const schemas = getChild(document.components, 'schemas')
  if (!isObject(schemas)) return document
  const used = collectRefs([document.paths, document.webhooks])
  // The loop also visits the names that are added while it runs, so nested refs are found too.
  for (const name of used) collectRefs(schemas[name], used)
  const remaining = Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
  return { ...document, components: { ...document.components, schemas: remaining } }
}
