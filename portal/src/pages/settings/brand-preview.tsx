// The pay page in miniature, as payers will see it in each theme. It follows what is typed, before it is saved.
import type { ProjectView } from '@pazar/contract'
import { ACCENT_PATTERN, hasEnoughContrast, toAccentPairs } from '@pazar/theme/brand'
import { formatAmount } from '../../parts/format-amount.ts'
import { words } from '../../ui/language.ts'

export interface BrandValues {
  displayName: string
  accent: string
  supportEmail: string
  website: string
}

interface PreviewProps {
  project: ProjectView
  values: BrandValues
}

export function BrandPreview(props: PreviewProps) {
  const { preview } = words().settings.brand
  return (
    // On a phone it comes before the form, and the two pages scroll sideways, so that it takes little height.
    <figure className="grid min-w-0 content-start gap-2 max-md:-order-1">
      <figcaption className="text-sm font-medium">{preview}</figcaption>
      <div
        role="group"
        aria-label={preview}
        tabIndex={0}
        className="flex gap-4 max-md:overflow-x-auto max-md:pb-2 md:flex-wrap"
      >
        <PayPage {...props} theme="light" />
        <PayPage {...props} theme="dark" />
      </div>
    </figure>
  )
}

/** The typed colour as CSS custom properties for the miniature. Null while it is not a usable colour. */
function toAccentStyle(accent: string, theme: 'light' | 'dark') {
  const typed = accent.trim().toLowerCase()
  if (!ACCENT_PATTERN.test(typed) || !hasEnoughContrast(typed)) return null
  const pair = toAccentPairs(typed)[theme]
  return { '--accent': pair.accent, '--on-accent': pair.onAccent } as object
}

function PayPage({ project, values, theme }: PreviewProps & { theme: 'light' | 'dark' }) {
  const { settings, frame } = words()
  const { brand } = settings
  const amount = formatAmount('1500')
  const contact = [values.supportEmail, values.website.replace(/^https?:\/\//, '')]
  const contactText = contact.map((text) => text.trim()).filter(Boolean)
  return (
    <div
      data-theme={theme}
      style={toAccentStyle(values.accent, theme) ?? {}}
      className="grid min-w-0 flex-1 basis-56 content-start max-md:shrink-0 gap-3 rounded-card border border-line bg-surface p-3 text-ink"
    >
      <p className="text-xs text-muted">{frame.theme[theme]}</p>
      <div className="grid gap-3 rounded-button border border-line bg-raised p-4 wrap-anywhere">
        <BrandHead logoUrl={project.brand.logoUrl} displayName={values.displayName.trim()} />
        <div>
          <p className="line-clamp-3 text-sm text-muted">{brand.heading(project.name)}</p>
          <p className="text-2xl font-strong tabular-nums">{amount}</p>
        </div>
        <p className="flex flex-wrap justify-between gap-x-3 border-y border-line py-2 text-sm">
          <span className="text-muted">{brand.description}</span>
          <span>{brand.sampleOrder}</span>
        </p>
        <p className="grid min-h-11 place-items-center rounded-button bg-accent px-3 text-sm font-strong text-on-accent">
          {brand.pay(amount)}
        </p>
        {contactText.length > 0 && (
          <p className="text-xs text-muted">
            {brand.contact} {contactText.join(' · ')}
          </p>
        )}
      </div>
    </div>
  )
}

function BrandHead({ logoUrl, displayName }: { logoUrl: string | null; displayName: string }) {
  if (logoUrl === null && displayName === '') return null
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line pb-3 text-base font-strong">
      {logoUrl !== null && (
        <img
          src={new URL(logoUrl).pathname}
          alt=""
          className="h-10 max-w-full rounded-control object-contain object-left"
        />
      )}
      {displayName !== '' && <bdi className="min-w-0">{displayName}</bdi>}
    </p>
  )
}
