// Finds the route for a request and writes its response.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Locale } from '@pazar/words'
import { toText, writeResponse } from './http.ts'
import type { ShopResponse } from './http.ts'
import { findLocale, toLanguageCookie } from './language.ts'

export interface Visit {
  readonly request: IncomingMessage
  readonly url: URL
  readonly locale: Locale
}

export type Route = (visit: Visit) => ShopResponse | Promise<ShopResponse>

export function createListener(routes: Readonly<Record<string, Route>>, notFound: Route): RequestListener {
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(request.url ?? '', 'http://shop')
    if (url === null) return writeResponse(response, toText(400, 'This is not an address.'))
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const path = url.pathname.replace(/^\/orders\/.+$/, '/orders/{id}')
    const route = routes[`${method} ${path}`] ?? notFound
    const { headers, ...rest } = await route({ request, url, locale: findLocale(request, url) })
    writeResponse(response, { ...rest, headers: { ...headers, ...toLanguageCookie(url) } })
  }

  return (request, response) => {
    serve(request, response).catch((error: unknown) => {
      console.error(error)
      // Not a 2xx, so that Pazar retries a callback.
      writeResponse(response, toText(500, 'The shop has a fault.'))
    })
  }
}
