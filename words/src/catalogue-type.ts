// English defines the shape: a text missing from the Montenegrin side does not compile.
import type * as en from './en.ts'

export type Catalogue = typeof en
