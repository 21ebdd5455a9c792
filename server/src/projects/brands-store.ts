import type { Queryable, Tx } from '../db/pool.ts'
import { statement } from '../db/pool.ts'
import type { Brand, BrandSettings, Logo, LogoExtension } from './brand.ts'

export interface BrandRow {
  display_name: string | null
  accent: string | null
  support_email: string | null
  website: string | null
  logo: string | null
}

/** The columns of `project_brands`, which must have the alias `b` in the query. */
export const BRAND_COLUMNS = `b.display_name, b.accent, b.support_email, b.website,
    encode(b.logo_hash, 'hex') || '.' || b.logo_extension as logo`

export function toBrand(row: BrandRow): Brand {
  return {
    displayName: row.display_name,
    accent: row.accent,
    supportEmail: row.support_email,
    website: row.website,
    logo: row.logo,
  }
}

const SET = statement(
  'brands.set',
  `insert into project_brands (project_id, display_name, accent, support_email, website) values ($1, $2, $3, $4, $5)
   on conflict (project_id) do update set display_name = excluded.display_name, accent = excluded.accent,
     support_email = excluded.support_email, website = excluded.website`,
)

export async function setBrand(tx: Tx, projectId: string, brand: BrandSettings): Promise<void> {
  const { displayName, accent, supportEmail, website } = brand
  await tx.query(SET, [projectId, displayName, accent, supportEmail, website])
}

const SET_LOGO = statement(
  'brands.set_logo',
  `insert into project_brands (project_id, logo, logo_hash, logo_extension) values ($1, $2, sha256($2), $3)
   on conflict (project_id) do update set logo = excluded.logo, logo_hash = excluded.logo_hash,
     logo_extension = excluded.logo_extension`,
)

export async function setLogo(tx: Tx, projectId: string, logo: Logo | null): Promise<void> {
  await tx.query(SET_LOGO, [projectId, logo?.bytes ?? null, logo?.extension ?? null])
}

const FIND_LOGO = statement(
  'brands.find_logo',
  `select logo from project_brands where logo_hash = decode($1, 'hex') and logo_extension = $2 limit 1`,
)

export async function findLogo(
  db: Queryable,
  hash: string,
  extension: LogoExtension,
): Promise<Buffer | null> {
  const [row] = await db.query<{ logo: Buffer }>(FIND_LOGO, [hash, extension])
  return row?.logo ?? null
}
