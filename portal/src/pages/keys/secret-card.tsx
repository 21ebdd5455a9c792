import { useState } from 'react'
import { Eye, EyeOff, RefreshCw } from 'lucide-react'
import type { Mode, ProjectView } from '@pazar/contract'
import { DismissedError } from '../../api/api-error.ts'
import { setupWords } from '../../ui/language.ts'
import { useAction } from '../../parts/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Time } from '../../parts/time.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { SecretValue } from './secret-value.tsx'
import { useShownSecret } from './use-shown-secret.ts'

export interface SecretCardProps {
  mode: Mode
  project: ProjectView
  read: () => Promise<string>
  rotate: () => Promise<string>
  onRotated: () => Promise<void>
  hasNext?: boolean
}

export function SecretCard({ mode, project, read, rotate, onRotated, hasNext = false }: SecretCardProps) {
  const { keys } = setupWords()
  const shown = useShownSecret()
  const reveal = useAction(async () => shown.show(await read()))
  const [copyError, setCopyError] = useState<unknown>(null)
  const [rotating, setRotating] = useState(false)
  const isLive = mode === 'live'
  const error = reveal.error ?? copyError

  async function readToCopy(): Promise<string> {
    try {
      setCopyError(null)
      return shown.value ?? (await read())
    } catch (thrown) {
      if (!(thrown instanceof DismissedError)) setCopyError(thrown)
      throw thrown
    }
  }
  return (
    <Card title={isLive ? keys.live : keys.test} text={isLive ? keys.liveText : keys.testText}>
      {error !== null && <Failed error={error} />}
      <SecretValue mode={mode} value={shown.value} />
      <div className="flex flex-wrap gap-2">
        {shown.value === null ? (
          <Button
            busy={reveal.busy}
            icon={<Eye aria-hidden className="size-4" />}
            onClick={() => void reveal.run()}
          >
            {keys.reveal}
          </Button>
        ) : (
          <Button icon={<EyeOff aria-hidden className="size-4" />} onClick={shown.hide}>
            {keys.hide}
          </Button>
        )}
        <CopyButton small={false} text={readToCopy} what={isLive ? keys.live : keys.test} />
        <Button icon={<RefreshCw aria-hidden className="size-4" />} onClick={() => setRotating(true)}>
          {keys.rotate}
        </Button>
      </div>
      <p className="text-sm text-muted">
        {keys.rotatedAt} <Time at={isLive ? project.secretRotatedAt : project.testSecretRotatedAt} />
      </p>
      {rotating && (
        <RotateDialog
          mode={mode}
          projectName={project.name}
          rotate={rotate}
          discardsNext={hasNext}
          onClose={() => {
            setRotating(false)
            shown.hide()
            void onRotated()
          }}
        />
      )}
    </Card>
  )
}
