// How a merchant's payer pages look.
export interface Brand {
  /** Shown beside the registered name, never instead of it. */
  displayName: string | null
  accent: string | null
  supportEmail: string | null
  website: string | null
  /** The logo's file name: the hash of its bytes and its extension. */
  logo: string | null
}

export type BrandSettings = Omit<Brand, 'logo'>

export const BRAND_FIELDS = ['displayName', 'accent', 'supportEmail', 'website'] as const

export function toLogoPath(logo: string): string {
  return `/brand/${logo}`
}
