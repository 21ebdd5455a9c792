// Corrects the generated OpenAPI document: marks optional bodies, and removes schemas that the document does not use.

const METHODS = ['get', 'post'] as const
const REF = /^#\/components\/schemas\/(.+)$/

type Json = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function getChild(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined
}

/** A POST without a body counts as `{}`, so the body is optional where it has no required field. */
export function markOptionalBodies<T extends { paths?: object }>(document: T): T {
  const markOptional = (operation: unknown): unknown => {
    const requestBody = getChild(operation, 'requestBody')
    if (!isObject(operation) || !isObject(requestBody)) return operation
    const media = Object.values(getChild(requestBody, 'content') ?? {})
    const isNeeded = media.some((one) => getChild(getChild(one, 'schema'), 'required') !== undefined)
    return { ...operation, requestBody: { ...requestBody, required: isNeeded } }
  }
  const paths = Object.entries(document.paths ?? {}).map(([url, item]: [string, unknown]) => {
    const changed = METHODS.filter((method) => getChild(item, method)).map((method) => [
      method,
      markOptional(getChild(item, method)),
    ])
    return [url, { ...(isObject(item) ? item : {}), ...Object.fromEntries(changed) }]
  })
  return { ...document, paths: Object.fromEntries(paths) }
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

/** Removes the schemas that only routes of the portal use, because those routes are not in this document. */
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
