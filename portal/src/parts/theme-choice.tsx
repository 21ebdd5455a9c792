import { changeAccount } from '../api/account.ts'
import { useAccount } from '../api/session.ts'
import { Choice } from '../ui/field.tsx'
import { words } from '../ui/language.ts'

export function ThemeChoice() {
  const { theme } = useAccount()
  const { frame } = words()
  const options = (['system', 'light', 'dark'] as const).map((value) => ({
    value,
    label: frame.theme[value],
  }))
  return (
    <Choice
      label={frame.theme.label}
      value={theme}
      options={options}
      // If the theme cannot be saved, the page stays unchanged.
      onChoice={(value) => void changeAccount({ theme: value }).catch(() => undefined)}
    />
  )
}
