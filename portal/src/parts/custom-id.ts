import { CUSTOM_ID_MAX } from '@pazar/contract/limits'

/** The limit of an input field counts UTF-16 units, and a character may have two. The server checks the exact limit. */
export const CUSTOM_ID_UNITS_MAX = 2 * CUSTOM_ID_MAX
