// How a browser reaches the pages of refused links and forms, the cancelled page, and the plain confirmations.
import type { PayerState } from './payer-trip.ts'
import { sendTampered } from './payer-trip.ts'

export const REFUSALS: PayerState[] = [
  { name: 'link expired', status: 410, reach: (trip) => trip.goto(trip.link({ exp: 1_700_000_000 })) },
  {
    name: 'shop archived',
    status: 410,
    async reach(trip) {
      const set = (value: string) =>
        trip.world.set(`update projects set archived_at = ${value} where id = $1`, trip.world.shop.id)
      await set('now()')
      try {
        await trip.goto(trip.link())
      } finally {
        await set('null')
      }
    },
  },
  {
    name: 'unknown project',
    status: 404,
    reach: (trip) => trip.goto(`/pay?amount=1500&project=nosuchproject&data=&lang=${trip.locale}`),
  },
  {
    name: 'bad link',
    status: 400,
    reach: (trip) => trip.goto(`/pay?amount=1e3&project=${trip.world.shop.id}&data=&lang=${trip.locale}`),
  },
  {
    name: 'bad signature',
    status: 400,
    reach: (trip) =>
      trip.goto(`${trip.link({ signed: true })}&sig=`.replace(/sig=[^&]+&(.*)sig=$/, '$1sig=AAAA')),
  },
  { name: 'owner not verified', status: 403, reach: (trip) => trip.goto(trip.link(), trip.world.strict) },
  {
    name: 'too many requests',
    status: 429,
    async reach(trip) {
      await trip.goto(trip.link(), trip.world.limited)
      await trip.goto(trip.link(), trip.world.limited)
    },
  },
  { name: 'service down', status: 503, reach: (trip) => trip.goto(trip.link(), trip.world.down) },
  {
    name: 'service down when Pay is pressed',
    status: 503,
    async reach(trip) {
      await trip.goto(trip.link())
      const payUrl = trip.world.down.baseUrl + trip.link()
      await trip.page.route(`${trip.world.normal.baseUrl}/pay?*`, async (route) => {
        const { baseUrl } = trip.world.normal
        // Sends the request to a replica whose database fails. The address in the browser does not change.
        const request = route.request()
        const response = await fetch(payUrl, {
          method: 'POST',
          headers: { 'content-type': request.headers()['content-type'] ?? '', accept: 'text/html' },
          body: request.postData() ?? '',
        })
        await route.fulfill({
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: (await response.text()).replaceAll(trip.world.down.baseUrl, baseUrl),
        })
      })
      await trip.press()
    },
  },
  {
    name: 'form with an invalid token and no link',
    status: 400,
    reach: (trip) => sendTampered(trip, '/pay'),
  },
  {
    name: 'unknown payment',
    status: 404,
    reach: (trip) => trip.goto(`/pay/01a1dd37-308c-7395-a76c-256787d947e0?lang=${trip.locale}`),
  },
]

export const CANCELLED: PayerState = {
  name: 'cancelled payment with its order',
  status: 200,
  reach: (trip) =>
    trip.goto(
      `/pay/successful?status=cancel&${trip.link({ data: 'Narudžba 7', signed: true }).split('?')[1]}`,
    ),
}

export const CONFIRMATIONS: PayerState[] = (['success', 'fail', 'cancel', 'pending'] as const).map(
  (status) => ({
    name: `plain confirmation, ${status}`,
    status: 200,
    reach: (trip) =>
      trip.goto(
        `/pay/successful?status=${status}&transactionId=01a1dd37-308c-7395-a76c-256787d947e0&lang=${trip.locale}`,
      ),
  }),
)
