// Finds routes of /portal/api and body fields of /sdk/project that no test in journeys/ has used.
import type { KnownRoute } from '../../src/http/known-routes.ts'
import type { RecordedRequest } from './portal-browser.ts'

/** `projectId` is another name of `project`; the portal uses only `project`. */
const ALIASES = new Set(['/sdk/project/qr projectId'])

/** Only the CLI calls this route. */
const CLI_ROUTES = new Set(['/portal/api/projects/:id/events/report'])

interface OpenApi {
  paths?: Record<string, { post?: { requestBody?: { content?: Record<string, { schema?: Schema }> } } }>
}

interface Schema {
  properties?: Record<string, unknown>
}

function fieldsOf(document: object): string[] {
  const { paths = {} } = document as OpenApi
  return Object.entries(paths)
    .filter(([url]) => url.startsWith('/sdk/project/'))
    .flatMap(([url, { post }]) => {
      const schema = post?.requestBody?.content?.['application/json']?.schema
      return Object.keys(schema?.properties ?? {}).map((field) => `${url} ${field}`)
    })
}

export function findUnused(
  routes: readonly KnownRoute[],
  document: object,
  calls: readonly RecordedRequest[],
): { routes: string[]; fields: string[] } {
  const offered = routes
    .filter(({ url }) => url.startsWith('/portal/api/') && !CLI_ROUTES.has(url))
    .flatMap(({ url, methods, pattern }) =>
      [...methods].filter((method) => method !== 'HEAD').map((method) => ({ url, method, pattern })),
    )
  const isUsed = ({ method, pattern }: { method: string; pattern: RegExp }) =>
    calls.some((call) => call.method === method && pattern.test(call.path))
  const sent = new Set(
    calls.flatMap(({ path, body }) => Object.keys(body).map((field) => `${path} ${field}`)),
  )
  return {
    routes: offered.filter((route) => !isUsed(route)).map(({ method, url }) => `${method} ${url}`),
    fields: fieldsOf(document).filter((field) => !sent.has(field) && !ALIASES.has(field)),
  }
}
