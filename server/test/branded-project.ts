// A project with a full brand: name, colour, contact, website and logo.
import { setBrand, setLogo } from '../src/projects/brands-store.ts'
import type { Deps } from '../src/wire.ts'
import { LOGO_PNG } from './logo-png.ts'
import type { PayProject, PROJECT_FIELDS } from './payer.ts'
import { addPayProject } from './payer.ts'

const BRAND = {
  displayName: 'Kafana Pod Lipom i sinovi',
  accent: '#d9480f',
  supportEmail: 'pomoc@kafana.example.me',
  website: 'https://kafana.example.com/',
}

export async function addBrandedProject(
  deps: Deps,
  fields: Partial<typeof PROJECT_FIELDS> = {},
): Promise<PayProject> {
  const project = await addPayProject(deps, fields)
  await deps.db.transaction(async (tx) => {
    await setBrand(tx, project.id, BRAND)
    await setLogo(tx, project.id, { bytes: LOGO_PNG, extension: 'png' })
  })
  return project
}
