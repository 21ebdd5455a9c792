import { z } from 'zod'
import { AMOUNT_MAX, AMOUNT_SCALE_MAX, CUSTOM_ID_MAX } from './limits.ts'

/** At most AMOUNT_DIGITS_MAX digits. Without leading zeros, so that each amount has one spelling. */
export const AMOUNT_PATTERN = /^[1-9][0-9]{0,11}$/

// `meta` describes rules that the schema library cannot convert to JSON Schema.

/** Requests send a string or an integer. Responses have a string. */
export const amountInput = z
  .union([
    z.string().meta({ pattern: AMOUNT_PATTERN.source, examples: ['1500'] }),
    z.int().meta({ minimum: 1, maximum: AMOUNT_MAX }),
  ])
  .transform(String)
  .refine((text) => AMOUNT_PATTERN.test(text), { params: { code: 'amount' } })
  .meta({ description: "Whole number of the currency's smallest unit" })

export const scale = z.int().min(0).max(AMOUNT_SCALE_MAX).describe('How many decimals the amount has')
export const money = z.string().regex(AMOUNT_PATTERN).describe("Whole number of the currency's smallest unit")

/** A sum, which may be 0. */
export const amountFrom0 = z
  .string()
  .regex(/^(?:0|[1-9][0-9]*)$/)
  .describe("Whole number of the currency's smallest unit, or 0")

/** A sum, which may be 0 or negative. */
export const signedSum = z.string().regex(/^(?:0|-?[1-9][0-9]*)$/)

export const time = z.string().describe('ISO 8601, UTC, milliseconds')

export const mode = z.enum(['live', 'test'])
export type Mode = z.infer<typeof mode>

export const locale = z.enum(['cnr', 'en'])

/**
 * Characters that people cannot see and do not type on purpose: control, format and surrogate
 * characters, and separators of lines and paragraphs.
 */
export const INVISIBLE_PATTERN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u

/** Unassigned code points, and characters that look blank although they count as visible in Unicode. */
const BLANK_PATTERN = /[\p{Default_Ignorable_Code_Point}\p{Cn}\u2800]/gu

export function visibleName(max: number) {
  return (
    z
      .string()
      .refine((text) => text.trim().length > 0, { params: { code: 'required' } })
      // The next rules are slow for long texts, so they are skipped if the text is too long.
      .refine((text) => [...text].length <= max, { params: { code: 'too_long', max }, abort: true })
      .refine((text) => !INVISIBLE_PATTERN.test(text), { params: { code: 'invisible_characters' } })
      // At least one character must be visible. Letters that look blank do not count, and neither do combining marks,
      // which need a letter to combine with.
      .refine((text) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text.replace(BLANK_PATTERN, '')), {
        params: { code: 'invisible_characters' },
      })
      // A letter with many combining marks overflows its line and covers the text above.
      .refine((text) => !/\p{M}{5,}/u.test(text.normalize('NFC')), {
        params: { code: 'invisible_characters' },
      })
      .meta({ minLength: 1, maxLength: max })
  )
}

export const customId = z
  .string()
  .min(1)
  .refine((text) => [...text].length <= CUSTOM_ID_MAX, { params: { code: 'too_long', max: CUSTOM_ID_MAX } })
  .refine((text) => !INVISIBLE_PATTERN.test(text), { params: { code: 'invisible_characters' } })
  .refine((text) => text.trim() === text, { params: { code: 'outer_spaces' } })
  .meta({
    maxLength: CUSTOM_ID_MAX,
    description: "The merchant's own order ID; no invisible characters, no outer spaces",
    examples: ['order-7'],
  })

export const projectId = z.string().regex(/^[a-z][a-z0-9]{1,31}$/)

/** The `webhook-id` of a callback. */
export const CALLBACK_ID_PATTERN = /^msg_[0-9a-f]{32}$/
export const TRANSACTION_ID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/**
 * The `lang` of a query. Strict schemas list this field, because they refuse fields that they do not list. The server reads
 * its value in `http/request-locale.ts`.
 */
export const queryLang = z.string().optional()

/** A whole number from 1 to `max`, with digits only. `Number` would also accept `1e1`, ` 3 `, `0x3` and `2.0`. */
export function queryInt(max: number) {
  return z
    .string()
    .refine((text) => /^[0-9]{1,9}$/.test(text), { params: { code: 'wrong_type' } })
    .transform(Number)
    .pipe(z.int().min(1).max(max))
}
