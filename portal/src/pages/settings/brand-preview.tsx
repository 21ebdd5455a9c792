// The pay page in miniature, with the typed values. Its parts follow the server's page (checkout/ready-page.ts and
// brand-parts.ts).
import { useState } from 'react'
import type { ProjectView } from '@pazar/contract'
import { ACCENT_PATTERN, hasEnoughContrast, toAccentPairs } from '@pazar/theme/brand'
import { formatAmount } from '../../parts/format-amount.ts'
import { words } from '../../ui/language.ts'
import { useIsPhone } from '../../ui/use-phone.ts'

export type BrandValues = {
  displayName: string
  accent: string
  supportEmail: string
  website: string
}

interface PreviewProps {
  project: ProjectView
  values: BrandValues
}

const THEMES = ['light', 'dark'] as const
type Theme = (typeof THEMES)[number]

export function BrandPreview(props: PreviewProps) {
  const { preview } = words().settings.brand
  const isPhone = useIsPhone()
  const [chosen, setChosen] = useState<Theme>('light')
  return (
    <figure className="grid min-w-0 content-start gap-2">
      <div className="flex items-center justify-between gap-4">
        <figcaption className="text-sm font-medium">{preview}</figcaption>
        {isPhone && <ThemeSwitch chosen={chosen} onChoose={setChosen} />}
      </div>
      <div role="group" aria-label={preview} className="flex flex-wrap gap-4 max-md:flex-col">
        {(isPhone ? [chosen] : THEMES).map((theme) => (
          <PayPage key={theme} {...props} theme={theme} />
        ))}
      </div>
    </figure>
  )
}

function ThemeSwitch({ chosen, onChoose }: { chosen: Theme; onChoose: (theme: Theme) => void }) {
  const { frame } = words()
  return (
    <div
      role="group"
      aria-label={frame.theme.label}
      className="flex rounded-button border border-control p-0.5"
    >
      {THEMES.map((theme) => (
        <button
          key={theme}
          type="button"
          aria-pressed={theme === chosen}
          onClick={() => onChoose(theme)}
          className="min-h-9 rounded-control px-3 text-sm font-medium aria-pressed:bg-accent aria-pressed:text-on-accent"
        >
          {frame.theme[theme]}
        </button>
      ))}
    </div>
  )
}

/** Null while the typed colour is not usable. */
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
  const contacts = [values.supportEmail.trim(), toHost(values.website.trim())].filter(Boolean)
  return (
    <div
      data-theme={theme}
      style={toAccentStyle(values.accent, theme) ?? {}}
      className="grid min-w-0 flex-1 content-start gap-2 rounded-card md:basis-56 border border-line bg-surface p-3 text-ink"
    >
      <p className="text-xs text-muted max-md:hidden">{frame.theme[theme]}</p>
      <div className="grid gap-3 rounded-button border border-line bg-raised p-4 wrap-anywhere">
        <Head project={project} displayName={values.displayName.trim()} />
        <p className="text-2xl leading-tight font-strong tabular-nums">{amount}</p>
        <p className="flex flex-wrap justify-between gap-x-3 border-y border-line py-2 text-sm">
          <span className="text-muted">{brand.description}</span>
          <span>{brand.sampleOrder}</span>
        </p>
        <p className="grid min-h-11 place-items-center rounded-button bg-accent px-3 text-sm font-strong text-on-accent">
          {brand.pay(amount)}
        </p>
        {contacts.length > 0 && (
          <p className="grid text-xs text-muted">
            {brand.contact}
            {contacts.map((contact) => (
              <span key={contact} className="text-ink underline underline-offset-2">
                {contact}
              </span>
            ))}
          </p>
        )}
      </div>
    </div>
  )
}

/** Text that is not a URL yet is shown as it is typed. */
function toHost(website: string): string {
  return URL.canParse(website) ? new URL(website).host : website
}

/** If there is neither a logo nor a display name, the first letter of the project's name is shown. */
function Head({ project, displayName }: { project: ProjectView; displayName: string }) {
  const { brand } = words().settings
  const { name } = project
  const { logoUrl } = project.brand
  const heading = brand.heading(name)
  if (logoUrl === null && displayName === '') {
    const [letter] = /[\p{L}\p{N}]/u.exec(name) ?? []
    return (
      <div className="flex items-center gap-3">
        {letter !== undefined && (
          <span
            aria-hidden
            className="grid size-10 shrink-0 place-items-center rounded-button border border-line bg-surface font-strong"
          >
            {letter.toUpperCase()}
          </span>
        )}
        <div className="min-w-0">
          <p className="line-clamp-3 font-strong">{heading}</p>
          {/* In some languages, the heading does not name the merchant. */}
          {!heading.includes(name) && (
            <p className="line-clamp-3 text-sm">
              {brand.merchant}: <strong className="font-strong">{name}</strong>
            </p>
          )}
        </div>
      </div>
    )
  }
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line pb-3 text-lg leading-tight font-strong">
        {logoUrl !== null && (
          <img
            src={new URL(logoUrl).pathname}
            alt=""
            className="h-11 max-w-full rounded-button object-contain object-left"
          />
        )}
        {displayName !== '' && <bdi className="min-w-0 flex-1 basis-24">{displayName}</bdi>}
      </p>
      <p className="line-clamp-3 text-sm text-muted">
        {brand.merchant}: {name}
      </p>
    </>
  )
}
