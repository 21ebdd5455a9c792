import type { Catalogue } from './en.ts'

export type PortalWords = Catalogue['portal'] & Pick<Catalogue, 'errors' | 'fields' | 'waits'>
