import type { Catalogue } from './catalogue-type.ts'

export type PortalWords = Catalogue['portal'] & Pick<Catalogue, 'errors' | 'fields' | 'waits'>
