// English defines the keys and types. A text that is missing in Montenegrin does not compile.
import type * as en from './en.ts'

export type Catalogue = typeof en
