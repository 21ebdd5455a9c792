import { useState } from 'react'
import { Eye, EyeOff, RefreshCw } from 'lucide-react'
import type { Mode, ProjectView } from '@pazar/contract'
import { GivenUp } from '../../api/api-error.ts'
import { words } from '../../app/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Failed } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { SecretValue } from './secret-value.tsx'
import { useShownSecret } from './use-shown-secret.ts'

export interface SecretCardProps {
  mode: Mode
  project: ProjectView
  read: () => Promise<string>
  rotate: () => Promise<string>
  onRotated: () => Promise<void>
}

export function SecretCard({ mode, project, read, rotate, onRotated }: SecretCardProps) {
  const { keys } = words()
  const shown = useShownSecret()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [rotating, setRotating] = useState(false)
  const isLive = mode === 'live'

  async function reveal(): Promise<void> {
    setBusy(true)
    setError(null)
    try {
      shown.show(await read())
    } catch (refusal) {
      if (!(refusal instanceof GivenUp)) setError(refusal)
    } finally {
      setBusy(false)
    }
  }
  async function readToCopy(): Promise<string> {
    try {
      setError(null)
      return shown.value ?? (await read())
    } catch (refusal) {
      if (!(refusal instanceof GivenUp)) setError(refusal)
      throw refusal
    }
  }
  return (
    <Card title={isLive ? keys.live : keys.test} text={isLive ? keys.liveText : keys.testText}>
      {error !== null && <Failed error={error} />}
      <SecretValue mode={mode} value={shown.value} />
      <div className="flex flex-wrap gap-2">
        {shown.value === null ? (
          <Button busy={busy} icon={<Eye aria-hidden className="size-4" />} onClick={() => void reveal()}>
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
