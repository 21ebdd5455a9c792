export interface Brand {
  /** Shown together with the project's name, never instead of it. */
  displayName: string | null
  accent: string | null
  supportEmail: string | null
  website: string | null
  /** The file name: the hash of the bytes and the extension. */
  logo: string | null
}

export type BrandSettings = Omit<Brand, 'logo'>

export const BRAND_FIELDS = ['displayName', 'accent', 'supportEmail', 'website'] as const

export const LOGO_TYPES = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' } as const
export type LogoExtension = keyof typeof LOGO_TYPES

export interface Logo {
  extension: LogoExtension
  bytes: Buffer
}

export function toLogoPath(logo: string): string {
  return `/brand/${logo}`
}
