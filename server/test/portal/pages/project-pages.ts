// The pages for the list of projects, a new project and the overview, and pages with an open menu or the shortcuts.
import { LONG_NAME } from '../hard-data.ts'
import { toProjectPath, openThen } from './open-page.ts'
import type { NamedPage, PageContext } from './open-page.ts'

// Why this is long: one list of pages.
export function toProjectPages({
  openPath,
  demoProjectId,
  hardProjectId,
  emptyProjectId,
}: PageContext): NamedPage[] {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  return [
    ['projects', openPath('/projects', 'main ul a')],
    ['new-project', openPath('/projects/new')],
    [
      'new-project-own-pages',
      openThen(openPath('/projects/new'), (page) => page.locator('input[name=ownPages]').check()),
    ],
    [
      'new-project-wrong',
      openThen(openPath('/projects/new'), async (page) => {
        await page.fill('input[name=name]', LONG_NAME)
        await page.fill('input[name=resultUrl]', 'localhost:3000/thanks')
        await page.fill('input[name=apiUrl]', 'http://localhost:3000/callback')
        await page.locator('input[name=apiUrl]').blur()
        await page.waitForSelector('input[name=resultUrl][aria-invalid]')
        await page.waitForSelector('input[name=apiUrl][aria-invalid]')
      }),
    ],
    ['overview', openPath(toProjectPath(demoProjectId, ''), 'figure svg a')],
    [
      'overview-90-days',
      openThen(openPath(toProjectPath(demoProjectId, '?days=90'), 'figure svg a'), (page) =>
        page.locator('figure svg a').last().focus(),
      ),
    ],
    [
      'overview-table',
      openThen(openPath(toProjectPath(demoProjectId, ''), 'figure svg a'), (page) =>
        page.locator('section details summary').click(),
      ),
    ],
    [
      'overview-hours',
      openPath(toProjectPath(demoProjectId, `?from=${yesterday}&to=${yesterday}`), 'figure'),
    ],
    ['overview-test', openPath(toProjectPath(demoProjectId, '?mode=test'), 'h2')],
    ['overview-hard', openPath(toProjectPath(hardProjectId, '?mode=test'), 'h2')],
    ['overview-empty', openPath(toProjectPath(emptyProjectId, ''), 'h2')],
    [
      'menu',
      openThen(openPath(toProjectPath(hardProjectId, '/keys?mode=test'), 'main code'), async (page) => {
        // Screens that are wide enough for the rail (the menu at the side) do not have this button.
        const button = page.locator('header button:has(svg.lucide-menu)')
        if (!(await button.isVisible())) return
        await button.click()
        await page.waitForSelector('dialog[open] nav a')
      }),
    ],
    [
      'account-menu',
      openThen(openPath(toProjectPath(hardProjectId, '/keys?mode=test'), 'main code'), async (page) => {
        const button = page.locator('aside button[aria-expanded]')
        if (!(await button.isVisible())) return
        await button.click()
        await page.waitForSelector('aside select + *, aside nav[aria-label] a[lang]')
      }),
    ],
    [
      'shortcuts',
      openThen(openPath(toProjectPath(hardProjectId, '/keys?mode=test'), 'main code'), async (page) => {
        await page.keyboard.press('?')
        await page.waitForSelector('dialog[open] kbd')
      }),
    ],
    [
      'new-project-required',
      openThen(openPath('/projects/new'), async (page) => {
        await page.locator('form button[type=submit]').click()
        await page.waitForSelector('input[name=name][aria-invalid]')
      }),
    ],
    [
      'command-menu',
      openThen(openPath(toProjectPath(demoProjectId, ''), 'figure svg a'), async (page) => {
        await page.keyboard.press('Control+k')
        await page.locator('dialog[open] input').fill('order-')
        await page.waitForSelector('dialog[open] li a[href*="row="]')
      }),
    ],
  ]
}
