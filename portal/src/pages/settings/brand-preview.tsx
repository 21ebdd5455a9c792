// The top of the pay page as payers will see it, in the theme of the portal.
import { useEffect, useState } from 'react'
import type { ProjectView } from '@pazar/contract'
import { ACCENT_PATTERN, hasEnoughContrast, toAccentPairs } from '@pazar/theme/brand'
import { formatAmount } from '../../parts/format-amount.ts'
import { words } from '../../ui/language.ts'

const DARK = '(prefers-color-scheme: dark)'

/** Whether the portal is dark now: by the account's choice, else by the system. */
function useIsDark(): boolean {
  const [isDark, setIsDark] = useState(() => matchMedia(DARK).matches)
  useEffect(() => {
    const query = matchMedia(DARK)
    const follow = () => setIsDark(query.matches)
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [])
  const chosen = document.documentElement.dataset['theme']
  return chosen === undefined ? isDark : chosen === 'dark'
}

interface PreviewProps {
  project: ProjectView
  displayName: string
  accent: string
}

export function BrandPreview({ project, displayName, accent }: PreviewProps) {
  const { brand } = words().settings
  const isDark = useIsDark()
  const typed = accent.trim().toLowerCase()
  const isUsable = ACCENT_PATTERN.test(typed) && hasEnoughContrast(typed)
  const pair = isUsable ? toAccentPairs(typed)[isDark ? 'dark' : 'light'] : null
  const amount = formatAmount('1500')
  const { logoUrl } = project.brand
  return (
    <figure className="grid gap-2">
      <figcaption className="text-sm font-medium">{brand.preview}</figcaption>
      <div className="grid gap-3 rounded-card border border-line bg-raised p-5">
        {(logoUrl !== null || displayName.trim() !== '') && (
          <div className="grid gap-2 border-b border-line pb-3 font-semibold wrap-anywhere">
            {logoUrl !== null && (
              <img
                src={new URL(logoUrl).pathname}
                alt=""
                className="h-12 max-w-full object-contain object-left"
              />
            )}
            {displayName.trim() !== '' && <bdi>{displayName}</bdi>}
          </div>
        )}
        <p className="wrap-anywhere">
          {brand.merchant}: <bdi className="font-semibold">{project.name}</bdi>
        </p>
        <p className="text-3xl font-semibold tabular-nums">{amount}</p>
        <div
          className="grid min-h-12 place-items-center rounded-button bg-accent px-4 font-semibold text-on-accent"
          {...(pair && { style: { background: pair.accent, color: pair.onAccent } })}
        >
          {brand.pay(amount)}
        </div>
      </div>
    </figure>
  )
}
