// Starts Chromium for the tests. CHROME_PATH can name another browser.
import { existsSync } from 'node:fs'
import { after } from 'node:test'
import chromium from '@sparticuz/chromium'
import { chromium as playwright } from 'playwright-core'
import type { Browser, BrowserContext } from 'playwright-core'
import { installPackages, mayInstallPackages, toInstallCommand } from './debian-packages.ts'
import { shareInGroup } from './group-end.ts'

const SYSTEM_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** Chromium needs `--no-sandbox` to start as root. With `--process-per-site`, nearly no page needs a new process. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--process-per-site',
]

function findSystemBrowser(): string | null {
  return SYSTEM_PATHS.find((path) => existsSync(path)) ?? null
}

/** The npm package has no Chromium for Linux on ARM, but Debian has one. */
function installDebianBrowser(): string | null {
  if (!mayInstallPackages()) return null
  installPackages(['chromium'])
  return findSystemBrowser()
}

export async function requireBrowserPath(): Promise<string> {
  const configured = process.env['CHROME_PATH']
  if (configured) return configured
  if (process.platform === 'linux' && process.arch === 'x64') return chromium.executablePath()
  const found = findSystemBrowser() ?? installDebianBrowser()
  if (found) return found
  throw new Error(
    `The browser tests need a Chromium or Chrome here; install one (on Debian: ${toInstallCommand(['chromium'])}), or name it in CHROME_PATH.`,
  )
}

/** Test files that run in one process share one browser. */
export async function shareBrowser(): Promise<Browser> {
  const browser = await shareInGroup('browser', async (onEnd) => {
    const launched = await launchBrowser()
    onEnd(async () => {
      await closeContexts(launched)
      await launched.close()
    })
    return launched
  })
  after(() => closeContexts(browser))
  return browser
}

async function closeContexts(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map(closeContext))
}

/** The browser resolves `names`, such as `*.example.me`, to this machine. */
export async function launchBrowser(names?: string): Promise<Browser> {
  const args = names ? [...ARGUMENTS, `--host-resolver-rules=MAP ${names} 127.0.0.1`] : ARGUMENTS
  return playwright.launch({ executablePath: await requireBrowserPath(), args })
}

/** Removes the tests' request handlers first. A handler that still runs would fail after the last test. */
export async function closeContext(context: BrowserContext): Promise<void> {
  // The call fails if the page has already closed itself. That does no harm.
  await Promise.allSettled(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })))
  await context.close()
}
