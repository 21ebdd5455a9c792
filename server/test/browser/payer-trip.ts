// A payer in a browser, and the steps that reach the pages of the checkout.
import type { Locale } from '@pazar/words'
import type { Page } from 'playwright-core'
import { toLink, toTransactionId } from '../payer.ts'
import type { PayerWorld, Site } from './payer-world.ts'

export class PayerTrip {
  readonly world: PayerWorld
  readonly page: Page
  readonly locale: Locale

  constructor(world: PayerWorld, page: Page, locale: Locale) {
    this.world = world
    this.page = page
    this.locale = locale
  }

  link(fields: Parameters<typeof toLink>[1] = {}): string {
    return toLink(this.world.shop, { lang: this.locale, ...fields })
  }

  /** A test link, because a live page shows a brand only if the owner is verified. */
  brandedLink(fields: Parameters<typeof toLink>[1] = {}): string {
    return toLink(this.world.branded, { lang: this.locale, mode: 'test', ...fields })
  }

  async goto(path: string, site: Site = this.world.normal): Promise<void> {
    await this.page.goto(site.baseUrl + path)
  }

  async press(): Promise<void> {
    const loaded = this.page.waitForEvent('domcontentloaded')
    await this.page.click('main form button')
    await loaded
  }

  async pay(link: string): Promise<void> {
    await this.goto(link)
    await this.press()
  }

  /** Deletes the cookies of the checkout attempts, so that the service sees a different browser. */
  async forgetAttempts(): Promise<void> {
    await this.page.context().clearCookies({ name: /^attempt-/ })
  }

  async putToken(token: string): Promise<void> {
    await this.page
      .locator('input[name=token]')
      .evaluate((input, value) => input.setAttribute('value', value), token)
  }

  transactionId(): string {
    return toTransactionId(this.page.url())
  }
}

export interface PayerState {
  name: string
  status: number
  reach(trip: PayerTrip): Promise<void>
}

export async function sendTampered(trip: PayerTrip, path: string): Promise<void> {
  await trip.goto(trip.link())
  await trip.putToken('AAAA')
  await trip.page.locator('main form').evaluate((form, to) => form.setAttribute('action', to), path)
  await trip.press()
}
