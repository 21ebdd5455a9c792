// English defines the keys and types, so a missing Montenegrin text does not compile.
import type * as en from './en.ts'

export type Catalogue = typeof en
