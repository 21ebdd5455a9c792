import type { Catalogue } from './catalogue-type.ts'

type EntryGroup = 'entry' | 'frame' | 'members' | 'secondFactor'

/** Every page of the portal loads these texts. */
export type EntryWords = Pick<Catalogue['portal'], EntryGroup> &
  Pick<Catalogue, 'errors' | 'fields' | 'waits'>
type SetupGroup = 'debug' | 'exam' | 'keys' | 'quickstart'
export type SetupWords = Pick<Catalogue['portal'], SetupGroup>
export type SecurityWords = Catalogue['portal']['security']
export type WorkWords = Omit<Catalogue['portal'], EntryGroup | SetupGroup | 'security'>
export type PortalWords = EntryWords & WorkWords
