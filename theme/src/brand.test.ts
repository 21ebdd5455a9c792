import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contrast, hasEnoughContrast, toAccentPairs } from './brand.ts'
import { colours } from './tokens.ts'

/** SHADES has every combination of these levels: 216 colours. */
const LEVELS = ['00', '33', '66', '99', 'cc', 'ff']
const SHADES = LEVELS.flatMap((red) =>
  LEVELS.flatMap((green) => LEVELS.map((blue) => `#${red}${green}${blue}`)),
)

test('a colour with too little contrast on a light page is refused', () => {
  for (const colour of ['#ffffff', '#ffff00', '#ffcc00', '#ccffff'])
    assert.equal(hasEnoughContrast(colour), false, colour)
  // The contrast of this colour is a little more than 3 on white, and less than 3 on the grey around the card.
  assert.ok(contrast('#949494', '#ffffff') >= 3)
  assert.equal(hasEnoughContrast('#949494'), false)
  for (const colour of ['#000000', '#0b5d50', '#d9480f', '#1c4fa3'])
    assert.equal(hasEnoughContrast(colour), true, colour)
})

test('every accepted colour has enough contrast as a button in both themes', () => {
  const accepted = SHADES.filter(hasEnoughContrast)
  assert.ok(accepted.length > 100)
  for (const shade of accepted) {
    const pairs = toAccentPairs(shade)
    assert.equal(pairs.light.accent, shade)
    for (const theme of ['light', 'dark'] as const) {
      const { accent, onAccent } = pairs[theme]
      assert.ok(contrast(accent, onAccent) >= 4.5, `${shade} ${theme} text`)
      for (const background of ['background', 'surface', 'raised'] as const)
        assert.ok(contrast(accent, colours[theme][background]) >= 3, `${shade} ${theme} on ${background}`)
    }
  }
})
