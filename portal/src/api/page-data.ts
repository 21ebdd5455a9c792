// What the service wrote into the HTML page: settings of this deployment, and the signed-in account. Never a secret.
import type { AccountView } from '@pazar/contract'

export interface PageData {
  baseUrl: string
  currency: string
  amountScale: number
  signUpOpen: boolean
  /** False where the service runs on an IP address. */
  passkeysAvailable: boolean
  requireKyc: boolean
  /** Live payments move no money here. A replica of the previous release does not say it. */
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
