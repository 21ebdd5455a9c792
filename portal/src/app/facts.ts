// What the service wrote into the page: settings of this deployment, and who is signed in. Never a secret.
import type { AccountView } from '@pazar/contract'

export interface Facts {
  baseUrl: string
  currency: string
  amountScale: number
  signUpOpen: boolean
  requireKyc: boolean
  operatorName: string
  supportUrl: string | null
  /** Pairs of host and port exempt from the address rules, in development. */
  allowHosts: readonly string[]
  account: AccountView | null
}

function readFacts(): Facts {
  const text = document.querySelector('meta[name="pazar"]')?.getAttribute('content')
  if (!text) throw new Error('The page carries no facts.')
  return JSON.parse(text) as Facts
}

export const facts = readFacts()
