import type { Page } from 'playwright-core'
import { intercept } from '../portal-browser.ts'

export type Opener = (page: Page) => Promise<void>
export type NamedPage = [name: string, open: Opener]

export interface PageContext {
  /** Opens a path below `/en` or `/cnr`. Waits for the heading, and for an element that matches `ready`. */
  openPath: (path: string, ready?: string) => Opener
  /** A project with a history, one with values that are hard to display, and an empty one. */
  demoProjectId: string
  hardProjectId: string
  emptyProjectId: string
}

export function openAt(locale: 'cnr' | 'en'): PageContext['openPath'] {
  return (path, ready = 'h1') =>
    async (page) => {
      await page.goto(`/${locale}${path}`)
      // While the code of a page loads, its placeholder may contain an element that matches `ready`, but no heading.
      await page.waitForSelector('h1')
      await page.waitForSelector(ready).catch(async (error: unknown) => {
        const text = await page.innerText('body')
        throw new Error(`${path} shows no ${ready}, but: ${text}`, { cause: error })
      })
    }
}

export function openThen(first: Opener, act: Opener): Opener {
  return async (page) => {
    await first(page)
    await act(page)
  }
}

export function toProjectPath(id: string, page: string): string {
  return `/projects/${id}${page}`
}

export async function openRow(page: Page, index: number): Promise<void> {
  await page.locator('tbody tr a').nth(index).click()
  await page.waitForSelector('dialog[open] dl')
}

export async function openFirstRow(page: Page): Promise<void> {
  await openRow(page, 0)
}

/** Replaces the service's response to `call`, such as `GET /portal/api/tokens`. */
export async function respondWith(page: Page, call: string, status: number, json: object): Promise<void> {
  const [method, path] = call.split(' ')
  const contentType = status < 400 ? 'application/json' : 'application/problem+json'
  await intercept(page, `**${path}`, (route) =>
    route.request().method() === method
      ? route.fulfill({ status, contentType, body: JSON.stringify(json) })
      : route.fallback(),
  )
}
