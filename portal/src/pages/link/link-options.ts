// The options of a pay link, and the requests for its URL and QR codes.
import { useQuery } from '@tanstack/react-query'
import type { Mode } from '@pazar/contract'
import { call, callForBlob } from '../../api/call.ts'
import { pageData } from '../../api/page-data.ts'

export interface LinkOptions {
  projectId: string
  mode: Mode
  amount: string
  data: string
  customId: string
  signed: boolean
  /** Links that were signed before this time no longer work. */
  secretRotatedAt: string
}

function toFields({ amount, data, customId, mode }: LinkOptions) {
  return { amount, mode, ...(data ? { data } : {}), ...(customId ? { customId } : {}) }
}

async function writeUrl(options: LinkOptions, signal: AbortSignal): Promise<string> {
  // An unsigned link needs no secret, so it is built here. It is always live and has no customId. Spaces are written as
  // %20, as in the links of the service.
  if (!options.signed) {
    const query = new URLSearchParams({
      amount: options.amount,
      project: options.projectId,
      data: options.data,
    })
    return `${pageData.baseUrl}/pay?${query.toString().replaceAll('+', '%20')}`
  }
  const path = `/portal/api/projects/${options.projectId}/pay-link`
  return (await call<{ url: string }>(path, toFields(options), { signal })).url
}

export type Picture = { format: 'svg' } | { format: 'png'; size: number }

export function drawQr(options: LinkOptions, picture: Picture, signal?: AbortSignal): Promise<Blob> {
  const body = { project: options.projectId, ...toFields(options), signed: options.signed, ...picture }
  return callForBlob('/sdk/project/qr', body, signal ? { signal } : {})
}

async function toDataUrl(blob: Blob): Promise<string> {
  return `data:image/svg+xml,${encodeURIComponent(await blob.text())}`
}

export interface ReadyLink {
  url: string
  /** The QR code as a data URL. Null for a role that may not draw QR codes. */
  picture: string | null
  options: LinkOptions
}

export function useLink(options: LinkOptions | null, canDrawQr: boolean) {
  return useQuery({
    queryKey: ['pay-link', options, canDrawQr],
    enabled: options !== null,
    queryFn: async ({ signal }): Promise<ReadyLink> => {
      if (options === null) throw new Error('There are no link options.')
      const [url, picture] = await Promise.all([
        writeUrl(options, signal),
        canDrawQr ? drawQr(options, { format: 'svg' }, signal).then(toDataUrl) : null,
      ])
      return { url, picture, options }
    },
    placeholderData: (previous) => previous,
  })
}
