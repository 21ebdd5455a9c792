// The sample on the home page.
import { orders, secret } from './records.ts'

// region
import { safeVerifyCallback } from '@pazar/sdk'

export async function POST(request: Request) {
  const body = await request.text()
  const result = await safeVerifyCallback(body, request.headers, {
    secret,
    expectedAmount: ({ customId }) => orders.priceOf(customId),
  })
  if (!result.ok) return new Response(result.reason, { status: 400 })

  const { successful, customId } = result.callback
  if (successful) await orders.markPaid(customId)
  return new Response('ok')
}
// endregion
