import type { Catalogue } from '@pazar/words'

export type Words = Catalogue['cli']
export type CommandName = keyof Words['commands']
export type OptionName = keyof Words['options']
