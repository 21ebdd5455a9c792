// The data that the service wrote into the HTML page: settings of this deployment, and the signed-in account. Never a
// secret.
import type { AccountView } from '@pazar/contract'

export interface PageData {
  baseUrl: string
  currency: string
  amountScale: number
  signUpOpen: boolean
  /** False if the address of the service is an IP address, because passkeys need a domain. */
  passkeysAvailable: boolean
  requireKyc: boolean
  /** Live payments go to the sandbox and move no money. A replica of the previous release does not send this field. */
  liveIsSandbox?: boolean
  operatorName: string
  supportUrl: string | null
  /** Pairs of host and port that are exempt from the URL rules, in development. */
  allowHosts: readonly string[]
  account: AccountView | null
}

function readPageData(): PageData {
  const text = document.querySelector('meta[name="pazar"]')?.getAttribute('content')
  if (!text) throw new Error('The page has no data.')
  return JSON.parse(text) as PageData
}

export const pageData = readPageData()
