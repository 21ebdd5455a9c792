// What a link shall say, and the calls that turn it into text and pictures.
import { useQuery } from '@tanstack/react-query'
import type { Mode } from '@pazar/contract'
import { call, callForBlob } from '../../api/call.ts'
import { facts } from '../../app/facts.ts'

export interface LinkWish {
  projectId: string
  mode: Mode
  amount: string
  data: string
  customId: string
  signed: boolean
  /** When the secret that signs it was last replaced: a link from before that leads nowhere. */
  secretFrom: string
}

function toFields({ amount, data, customId, mode }: LinkWish) {
  return { amount, mode, ...(data ? { data } : {}), ...(customId ? { customId } : {}) }
}

async function writeUrl(wish: LinkWish, signal: AbortSignal): Promise<string> {
  // An unsigned link says nothing that this page does not know.
  if (!wish.signed) {
    const query = new URLSearchParams({ amount: wish.amount, project: wish.projectId, data: wish.data })
    return `${facts.baseUrl}/pay?${query.toString().replaceAll('+', '%20')}`
  }
  const path = `/portal/api/projects/${wish.projectId}/pay-link`
  return (await call<{ url: string }>(path, toFields(wish), { signal })).url
}

export type Picture = { format: 'svg' } | { format: 'png'; size: number }

export function drawQr(wish: LinkWish, picture: Picture, signal?: AbortSignal): Promise<Blob> {
  const body = { project: wish.projectId, ...toFields(wish), signed: wish.signed, ...picture }
  return callForBlob('/sdk/project/qr', body, signal ? { signal } : {})
}

async function toDataUrl(blob: Blob): Promise<string> {
  return `data:image/svg+xml,${encodeURIComponent(await blob.text())}`
}

export interface ReadyLink {
  url: string
  /** The QR code as an address that an image can show. */
  picture: string
  wish: LinkWish
}

export function useLink(wish: LinkWish | null) {
  return useQuery({
    queryKey: ['pay-link', wish],
    enabled: wish !== null,
    queryFn: async ({ signal }): Promise<ReadyLink> => {
      if (wish === null) throw new Error('There is nothing to write.')
      const [url, picture] = await Promise.all([
        writeUrl(wish, signal),
        drawQr(wish, { format: 'svg' }, signal).then(toDataUrl),
      ])
      return { url, picture, wish }
    },
    placeholderData: (before) => before,
  })
}
