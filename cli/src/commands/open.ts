import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { requireOneOf } from '../values.ts'
import type { Command } from '../command.ts'

const PAGES = [
  'overview',
  'transactions',
  'deliveries',
  'link',
  'status',
  'keys',
  'settings',
  'exam',
  'debug',
] as const

export const open: Command = {
  name: 'open',
  args: ['[page]'],
  options: { print: {} },
  example: 'pazar-cli open deliveries --print',
  async run(invocation) {
    const { words, args, locale, session } = invocation
    const [value = 'overview'] = args
    const page = requireOneOf({ words, name: '[page]', value }, PAGES)
    const project = encodeURIComponent(await session.requireProjectId())
    const pagePath = page === 'overview' ? '' : `/${page}`
    const url = `${session.requireBaseUrl()}/${locale}/projects/${project}${pagePath}`
    if (invocation.isSet('print') || invocation.isJson) return { json: { url }, lines: [url] }
    const isOpened = await openBrowser(url)
    const lines = isOpened ? [words.done.opened(url)] : [words.problems.noBrowser, url]
    return { json: { url }, lines, exitsNonZero: !isOpened }
  },
}

/** False if the program that opens addresses could not be started. */
async function openBrowser(url: string): Promise<boolean> {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
  try {
    await once(child, 'spawn')
    child.unref()
    return true
  } catch {
    return false
  }
}

const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
