// The version of this release, from the package of the service.
import { readFileSync } from 'node:fs'

const PACKAGE = new URL('../../package.json', import.meta.url)

export const VERSION: string = (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version
