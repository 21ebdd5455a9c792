import { hasEnoughContrast } from '@pazar/theme/brand'
import type { BrandBody } from '@pazar/contract'
import { byAccount, recordAudit } from '../../accounts/audit.ts'
import { parseEmail } from '../../accounts/email-address.ts'
import type { Caller } from '../../accounts/sessions.ts'
import { parsePublicHttpsUrl } from '../../egress/url-rules.ts'
import { invalidField, ServiceError } from '../../lib/service-error.ts'
import { requireProject, requireProjectForChange } from '../access.ts'
import type { ProjectDeps } from '../deps.ts'
import type { Project } from '../project.ts'
import type { BrandSettings, Logo } from '../brand.ts'
import { BRAND_FIELDS } from '../brand.ts'
import { setBrand, setLogo } from '../brands-store.ts'
import { LogoError } from './logo-error.ts'
import { reduceLogo } from './reduce-logo.ts'

function parseWebsite(text: string): string {
  const parsed = parsePublicHttpsUrl(text, new Set())
  if (parsed.problem === null) return parsed.href
  throw new ServiceError('invalid_url', { fields: [{ path: 'website', code: `url_${parsed.problem}` }] })
}

function parseBrand(input: BrandBody): Partial<BrandSettings> {
  const { displayName, accent, supportEmail, website } = input
  if (accent && !hasEnoughContrast(accent)) throw invalidField('accent', 'low_contrast')
  if (supportEmail) parseEmail(supportEmail, 'supportEmail')
  return {
    ...(displayName !== undefined && { displayName }),
    ...(accent !== undefined && { accent }),
    ...(supportEmail !== undefined && { supportEmail }),
    ...(website !== undefined && { website: website === null ? null : parseWebsite(website) }),
  }
}

export async function changeBrand(
  deps: ProjectDeps,
  caller: Caller,
  id: string,
  input: BrandBody,
): Promise<Project> {
  await requireProject(deps.db, caller.account.id, id, 'configure')
  const requested = parseBrand(input)
  return deps.db.transaction(async (tx) => {
    const { brand: oldBrand } = await requireProjectForChange(tx, caller.account.id, id, 'configure')
    const newBrand = { ...oldBrand, ...requested }
    const changed = BRAND_FIELDS.filter((field) => oldBrand[field] !== newBrand[field])
    if (changed.length > 0) {
      await setBrand(tx, id, newBrand)
      const changes = Object.fromEntries(
        changed.map((field) => [field, { from: oldBrand[field], to: newBrand[field] }]),
      )
      await recordAudit(deps, tx, { ...byAccount(caller), projectId: id, action: 'brand_changed', changes })
    }
    return requireProject(tx, caller.account.id, id, 'read')
  })
}

async function replaceLogo(
  deps: ProjectDeps,
  caller: Caller,
  id: string,
  logo: Logo | null,
): Promise<Project> {
  return deps.db.transaction(async (tx) => {
    await requireProjectForChange(tx, caller.account.id, id, 'configure')
    await setLogo(tx, id, logo)
    const action = logo ? 'logo_changed' : 'logo_removed'
    await recordAudit(deps, tx, { ...byAccount(caller), projectId: id, action })
    return requireProject(tx, caller.account.id, id, 'read')
  })
}

export async function uploadLogo(
  deps: ProjectDeps,
  caller: Caller,
  id: string,
  { bytes, type }: { bytes: Buffer; type: string },
): Promise<Project> {
  // The role is checked first, so that no picture is decompressed for somebody who may not change the project.
  await requireProject(deps.db, caller.account.id, id, 'configure')
  try {
    return await replaceLogo(deps, caller, id, await reduceLogo(bytes, type))
  } catch (error) {
    if (error instanceof LogoError) throw invalidField('logo', `logo_${error.fault}`)
    throw error
  }
}

export async function removeLogo(deps: ProjectDeps, caller: Caller, id: string): Promise<void> {
  const { brand } = await requireProject(deps.db, caller.account.id, id, 'configure')
  if (brand.logo !== null) await replaceLogo(deps, caller, id, null)
}
