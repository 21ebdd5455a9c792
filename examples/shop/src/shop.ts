// A shop that is paid through Pazar. The project's resultUrl must be the shop's /return, and the apiUrl its /callback.
import type { RequestListener } from 'node:http'
import { Client } from '@pazar/sdk'
import type { Secrets } from '@pazar/sdk'
import type { Locale } from '@pazar/words'
import { readBody, redirect, toJson, toText } from './http.ts'
import type { ShopResponse } from './http.ts'
import { receiveCallback } from './callback.ts'
import { goods } from './goods.ts'
import { orderPage } from './order-page.ts'
import { createOrders, parseReturnStatus, toOrderView } from './orders.ts'
import type { Order } from './orders.ts'
import { renderPage, toContentPolicy } from './page-frame.ts'
import type { Page } from './page-frame.ts'
import { goodsPage, notFoundPage, ordersPage } from './pages.ts'
import { createListener } from './visits.ts'
import type { Visit } from './visits.ts'
import { words } from './words.ts'

export interface ShopSettings {
  readonly payBaseUrl: string
  readonly projectId: string
  /** The prefix sk_live_ or sk_test_ sets the shop's mode. In a list, the first secret signs, and every secret verifies. */
  readonly secret: Secrets
  /** An additional secret, so that a live shop accepts test callbacks too. */
  readonly testSecret?: string | undefined
  readonly nowMs: () => number
}

export function createShop(settings: ShopSettings): RequestListener {
  const { payBaseUrl, projectId, secret, testSecret, nowMs } = settings
  const pazar = new Client({ baseUrl: payBaseUrl, projectId, secret })
  const orders = createOrders(nowMs)
  const contentPolicy = toContentPolicy(new URL(payBaseUrl).origin)

  return createListener(
    {
      'GET /': ({ locale }) => toPage(locale, goodsPage(locale)),
      'POST /buy': buy,
      'POST /callback': handleCallback,
      'GET /return': recordReturn,
      'GET /orders': listOrders,
      'GET /orders.json': listOrders,
      'GET /orders/{id}': showOrder,
    },
    notFound,
  )

  // Step 1. Stores the order, then redirects the payer to the signed pay link.
  async function buy(visit: Visit): Promise<ShopResponse> {
    const { request, locale } = visit
    const form = new URLSearchParams((await readBody(request))?.toString())
    const good = goods.find(({ id }) => id === form.get('good'))
    if (good === undefined) return notFound(visit)
    const order = orders.add(good, words[locale].goods[good.id].name)
    return redirect(toPayUrl(order, locale))
  }

  function toPayUrl({ id, good, data }: Order, locale: Locale): string {
    return pazar.payUrl({ amount: good.amount, customId: id, data, lang: locale })
  }

  // Step 2. Pazar sends the result of the payment. Only this callback makes an order paid.
  async function handleCallback({ request }: Visit): Promise<ShopResponse> {
    // The bytes as received, because the signature covers them.
    const rawBody = await readBody(request)
    if (rawBody === null) return toText(413, 'This is longer than any callback.')
    const deps = { orders, projectId, mode: pazar.mode, secret, testSecret, nowMs }
    const { status, text, paid } = await receiveCallback(deps, rawBody, request.headers)
    return paid === undefined ? toText(status, text) : toJson({ paid, text })
  }

  // Step 3. The payer returns. The shop does not trust the result, because anyone can open this URL.
  function recordReturn({ url }: Visit): ShopResponse {
    const id = url.searchParams.get('customId')
    if (id === null) return redirect('/orders')
    const order = orders.find(id)
    // This test payment has no order in the live shop, so Pazar's own page shows the result.
    if (!order && url.searchParams.get('mode') === 'test' && pazar.mode === 'live')
      return redirect(new URL(`/pay/successful${url.search}`, payBaseUrl).href)
    if (order) order.returned = { status: parseReturnStatus(url.searchParams.get('status')), atMs: nowMs() }
    return redirect(`/orders/${encodeURIComponent(id)}`)
  }

  function showOrder(visit: Visit): ShopResponse {
    const { url, locale } = visit
    const id = decodePart(url.pathname.slice('/orders/'.length))
    const order = id === null ? null : orders.find(id)
    if (order === null) return notFound(visit)
    return toPage(locale, orderPage(locale, order, toPayUrl(order, locale), nowMs()))
  }

  function listOrders({ request, url, locale }: Visit): ShopResponse {
    const wantsJson = url.pathname.endsWith('.json') || request.headers.accept?.includes('application/json')
    if (wantsJson) return toJson({ orders: orders.list().map(toOrderView) })
    return toPage(locale, ordersPage(locale, orders.list()))
  }

  function notFound({ locale }: Visit): ShopResponse {
    return toPage(locale, notFoundPage(locale), 404)
  }

  function toPage(locale: Locale, page: Page, status = 200): ShopResponse {
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': contentPolicy }
    return { status, headers, body: renderPage(locale, pazar.mode === 'test', page) }
  }
}

/** Null if a percent sign is not followed by the code of a character. */
function decodePart(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
