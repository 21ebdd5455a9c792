import { openLink, pressPay } from '../http-payer.ts'
import type { PortalUser } from './portal-browser.ts'

/** Returns the id of the payment. */
export async function payTestOrder(
  { context: { request } }: PortalUser,
  projectId: string,
  order: { amount: string; customId: string },
): Promise<string> {
  const response = await request.post(`/portal/api/projects/${projectId}/pay-link`, {
    data: { data: 'Kafa 1 kg', mode: 'test', ...order },
  })
  const { url } = (await response.json()) as { url: string }
  const { body } = await openLink('', url)
  const paid = await pressPay(new URL(url).origin, String(body['token']))
  return String(paid.body['transactionId'])
}
