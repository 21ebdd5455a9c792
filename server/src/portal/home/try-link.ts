// The test payment that the home page offers to visitors. Test mode moves no money, and nothing is stored until the visitor
// presses Pay.
import { randomBytes } from 'node:crypto'
import { buildPayUrl } from '@pazar/sdk'
import { catalogue } from '@pazar/words'
import type { Locale } from '@pazar/words'
import type { ProjectDeps } from '../../projects/deps.ts'
import { findSealedSecret } from '../../secrets/secrets-store.ts'
import { openSecret } from '../../secrets/secrets.ts'
import { toSampleAmount } from './home-pictures.ts'

/** The project that the settings name, otherwise the project of the demo. Null if there is neither. */
export interface DemoProject {
  id: string | null
}

/** Null if the project has no test secret. Each visit gets a new order ID, so that nobody sees "already paid". */
export async function findTryLink(
  deps: ProjectDeps,
  projectId: string,
  locale: Locale,
): Promise<string | null> {
  const { baseUrl, amountScale } = deps.config
  const sealed = await findSealedSecret(deps.db, projectId, 'test')
  if (!sealed) return null
  const link = buildPayUrl(baseUrl, {
    amount: String(toSampleAmount(amountScale)),
    project: projectId,
    data: catalogue(locale).home.trySample,
    customId: `try-${randomBytes(6).toString('hex')}`,
    mode: 'test',
    secret: openSecret(deps, projectId, 'test', sealed),
  })
  return `${link}&lang=${locale}`
}
