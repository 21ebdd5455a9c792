import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { colours, cssVariables, systemCssVariables, testBar } from './tokens.ts'
import type { ColourName, Theme } from './tokens.ts'

// The formula of brand.ts is written again here, so that the tests notice a fault in brand.ts.
function toLuminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(hex.slice(start, start + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns the contrast of WCAG 2.2, from 1 to 21. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [toLuminance(one), toLuminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

const THEMES: Theme[] = ['light', 'dark']
const BACKGROUNDS: ColourName[] = ['background', 'surface', 'raised']

const TEXT_PAIRS: [ColourName, ColourName][] = [
  ...(['text', 'muted', 'accent', 'ok', 'warn', 'error', 'info'] as const).flatMap((text) =>
    BACKGROUNDS.map((background): [ColourName, ColourName] => [text, background]),
  ),
  ['onAccent', 'accent'],
  ['ok', 'okBg'],
  ['warn', 'warnBg'],
  ['error', 'errorBg'],
  ['info', 'infoBg'],
  ['text', 'okBg'],
  ['text', 'warnBg'],
  ['text', 'errorBg'],
  ['text', 'infoBg'],
]

test('the contrast is 21 for black on white and 1 for a colour on itself', () => {
  assert.equal(contrast('#000000', '#ffffff').toFixed(2), '21.00')
  assert.equal(contrast('#5b6169', '#5b6169').toFixed(2), '1.00')
})

for (const theme of THEMES) {
  const palette = colours[theme]

  for (const [text, background] of TEXT_PAIRS) {
    test(`${theme}: the contrast of ${text} on ${background} is at least 4.5`, () => {
      assert.ok(contrast(palette[text], palette[background]) >= 4.5)
    })
  }

  for (const background of BACKGROUNDS) {
    test(`${theme}: a control's border and the focus ring have a contrast of at least 3 on ${background}`, () => {
      assert.ok(contrast(palette.control, palette[background]) >= 3)
      assert.ok(contrast(palette.accent, palette[background]) >= 3)
    })
  }

  test(`${theme}: body text has a contrast of at least 7 on every background`, () => {
    for (const background of BACKGROUNDS) assert.ok(contrast(palette.text, palette[background]) >= 7)
  })
}

test('the text of the test bar has a contrast of at least 10', () => {
  assert.ok(contrast(testBar.testText, testBar.testBg) >= 10)
})

test('every colour is written as six lower-case hex digits', () => {
  for (const theme of THEMES) {
    for (const value of Object.values(colours[theme])) assert.match(value, /^#[0-9a-f]{6}$/)
  }
})

test('the variables follow the theme of the system, unless data-theme sets a theme', () => {
  const css = cssVariables()
  assert.match(css, /:root,\[data-theme=light\]\{color-scheme:light;--background:#fff;/)
  assert.match(
    css,
    /@media screen and \(prefers-color-scheme:dark\)\{:root:not\(\[data-theme\]\)\{color-scheme:dark;--background:#0f1113;/,
  )
  assert.match(css, /@media screen\{\[data-theme=dark\]\{color-scheme:dark;--background:#0f1113;/)
  assert.match(css, /--on-accent:#06231d/)
  assert.match(css, /--test-bg:#f5c542;--font:system-ui/)
})

test('a printed page has the light theme', () => {
  for (const css of [cssVariables(), systemCssVariables()]) {
    const onPaper = css.replaceAll(/@media screen[^{]*\{[^{}]*\{[^{}]*\}\}/g, '')
    assert.match(onPaper, /color-scheme:light/)
    assert.doesNotMatch(onPaper, /color-scheme:dark|prefers-color-scheme|#0f1113/)
  }
})

test('each CSS block of a theme has every colour', () => {
  const css = cssVariables()
  const countVariables = (selector: string) => {
    const block = css.slice(css.indexOf(`${selector}{`)).split('}', 1)[0] ?? ''
    return block.split(/[{;]/).filter((declaration) => declaration.startsWith('--')).length
  }
  const expected = Object.keys(colours.light).length
  for (const selector of [':root,[data-theme=light]', ':root:not([data-theme])', '[data-theme=dark]']) {
    assert.equal(countVariables(selector), expected, selector)
  }
})

test('the variables have at most 800 bytes in gzip', () => {
  const css = cssVariables()
  assert.ok(gzipSync(css).length <= 800, `${gzipSync(css).length} bytes`)
  assert.doesNotMatch(css, /<|\n/)
})

test('the short form (systemCssVariables) has every colour of both themes', () => {
  const css = systemCssVariables()
  for (const theme of THEMES) {
    for (const [name, value] of Object.entries(colours[theme])) {
      const variable = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:`
      assert.equal(css.split(variable).length, 3, variable)
      assert.ok(css.includes(value.replace(/^#(.)\1(.)\2(.)\3$/, '#$1$2$3')), value)
    }
  }
  assert.match(css, /^:root\{color-scheme:light dark;/)
  assert.ok(css.length < cssVariables().length)
})
