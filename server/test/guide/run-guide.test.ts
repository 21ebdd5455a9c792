// Runs the commands of the guide with a reader's values, and compares their output with the page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LOCALES } from '@pazar/words'
import { createLibrary } from '../../src/docs/library.ts'
import type { GuidePage } from '../../src/docs/markdown.ts'
import type { ApiDocument } from '../../src/docs/openapi-document.ts'
import { ensurePackagesBuilt } from '../../../scripts/build-packages.ts'
import { hasCommands } from '../../../examples/verify/tools.ts'
import { runShare } from '../counts.ts'
import { until } from '../until.ts'
import type { CodeBlock } from './code-blocks.ts'
import { codeBlocksOf, hasSameShape, isAsShown } from './code-blocks.ts'
import { openTerminal } from './guide-terminal.ts'
import type { GuideTerminal } from './guide-terminal.ts'
import { startGuideWorld } from './guide-world.ts'

await ensurePackagesBuilt()
const world = await startGuideWorld()
const { app, config } = world.service
const library = createLibrary(config, () => JSON.parse(JSON.stringify(app.swagger())) as ApiDocument)

/** A block in one of these languages, directly below a command, is the output of the command. */
const OUTPUTS = new Set(['text', 'json'])

async function runBlock(terminal: GuideTerminal, block: CodeBlock, next: CodeBlock | undefined) {
  if (block.file !== null) return terminal.write(block.file, block.text)
  if (block.lang !== 'sh') {
    if (block.terminal === null) return
    const output = () => terminal.outputOf(block.terminal ?? '')
    await until(() => isAsShown(block.text, output(), true), 'the terminal shows this output').catch(
      (error: unknown) => {
        throw new Error(`the terminal shows:\n${output()}`, { cause: error })
      },
    )
    return
  }
  if (block.terminal !== null) return terminal.start(block.terminal, block.text)
  const output = await terminal.run(block.text)
  if (next && OUTPUTS.has(next.lang) && next.terminal === null)
    assert.ok(
      (next.isShape ? hasSameShape : isAsShown)(next.text, output),
      `shown:\n${next.text}\nprinted:\n${output}`,
    )
  else assert.doesNotMatch(output, /"requestId"/, 'a command fails although the page does not show an error')
}

async function runPage(page: GuidePage): Promise<number> {
  const reader = await world.newReader()
  const terminal = await openTerminal()
  // Other tests run the samples. Samples with a file name are written here too, because a command of the page may start them.
  const blocks = codeBlocksOf({ markdown: reader.fill(page.markdown) }).filter(
    ({ isSample, file, needs }) => (!isSample || file !== null) && (needs === null || hasCommands([needs])),
  )
  try {
    for (const [index, block] of blocks.entries()) {
      await runBlock(terminal, block, blocks[index + 1]).catch((error: unknown) => {
        throw new Error(`${page.locale}/${page.slug}.md, line ${block.line}:\n${block.text}`, {
          cause: error,
        })
      })
    }
    return blocks.filter(({ lang }) => lang === 'sh').length
  } finally {
    await terminal.close()
  }
}

const COMMANDS_OF_QUICK_PAGE_MAX = 20

/** Pages that run npm, which takes seconds for each command, and the reference, which has a command for each route. */
const slowPages = library.pages('en').filter(({ markdown }) => {
  const commands = markdown.match(/^```sh/gm) ?? []
  return /^np[mx] /m.test(markdown) || commands.length > COMMANDS_OF_QUICK_PAGE_MAX
})

/** `npm test` runs each slow page in one language only. The language alternates from page to page. */
function isRun(page: GuidePage): boolean {
  const index = slowPages.findIndex(({ slug }) => slug === page.slug)
  return runShare === 'prove' || index === -1 || LOCALES[index % LOCALES.length] === page.locale
}

for (const page of LOCALES.flatMap((locale) => library.pages(locale)).filter(isRun)) {
  test(`every command of the page ${page.locale}/${page.slug} works and prints what the page shows`, async (t) => {
    t.diagnostic(`${await runPage(page)} commands`)
  })
}
