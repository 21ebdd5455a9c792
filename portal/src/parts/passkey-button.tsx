import { KeyRound } from 'lucide-react'
import { PasskeyError } from '../api/passkeys.ts'
import { Button } from '../ui/button.tsx'
import type { ButtonKind } from '../ui/button.tsx'
import { entryWords } from '../ui/language.ts'
import { Notice } from '../ui/notice.tsx'
import { Failed } from './failed.tsx'
import { useAction } from './use-action.ts'

export interface PasskeyButtonProps {
  label: string
  kind?: ButtonKind
  onUse: () => Promise<void>
}

export function PasskeyButton({ label, kind = 'second', onUse }: PasskeyButtonProps) {
  const use = useAction(onUse)
  return (
    <div className="grid gap-3">
      {use.error instanceof PasskeyError && (
        <Notice tone="warn">{entryWords().secondFactor.passkeyFailed}</Notice>
      )}
      {use.error !== null && !(use.error instanceof PasskeyError) && <Failed error={use.error} />}
      <Button
        kind={kind}
        busy={use.busy}
        data-initial-focus
        icon={<KeyRound aria-hidden className="size-4" />}
        onClick={() => void use.run()}
      >
        {label}
      </Button>
    </div>
  )
}
