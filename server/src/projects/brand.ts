// What a merchant can change in the look of its payer pages.
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

export const LOGO_TYPES = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' } as const
export type LogoExtension = keyof typeof LOGO_TYPES

/** A picture that is safe to serve. */
export interface Logo {
  extension: LogoExtension
  bytes: Buffer
}

export function toLogoPath(logo: string): string {
  return `/brand/${logo}`
}
