// The data that the service wrote into the HTML page. It never contains a secret.
import type { AccountView } from '@pazar/contract'

export interface PageData {
  baseUrl: string
  currency: string
  amountScale: number
  signUpOpen: boolean
  /** False if the host of `baseUrl` is an IP address, because passkeys need a domain. */
  passkeysAvailable: boolean
  requireKyc: boolean
  /** True: live payments move no money. A replica of the previous release does not send this field. */
  liveIsSandbox?: boolean
  operatorName: string
  supportUrl: string | null
  /** Pairs of host and port that are exempt from the URL rules, for development. */
  allowHosts: readonly string[]
  account: AccountView | null
}

function readPageData(): PageData {
  const text = document.querySelector('meta[name="pazar"]')?.getAttribute('content')
  if (!text) throw new Error('The page has no data.')
  return JSON.parse(text) as PageData
}

export const pageData = readPageData()
