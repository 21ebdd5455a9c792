import { useState } from 'react'
import type { ProjectView } from '@pazar/contract'
import { GivenUp } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { keepProject } from '../../api/projects.ts'
import { words } from '../../app/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failed } from '../../ui/states.tsx'

export function ArchiveCard({ project }: { project: ProjectView }) {
  const { archive } = words().settings
  const { cancel } = words().frame
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const isArchived = project.archivedAt !== null

  async function change(to: 'archive' | 'restore'): Promise<void> {
    setBusy(true)
    setError(null)
    try {
      keepProject(await call<ProjectView>(`/portal/api/projects/${project.id}/${to}`, {}))
      setAsking(false)
    } catch (refusal) {
      if (!(refusal instanceof GivenUp)) setError(refusal)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card title={archive.title} text={isArchived ? archive.restoreText : archive.text} className="max-w-3xl">
      {error !== null && !asking && <Failed error={error} />}
      <div>
        {isArchived ? (
          <Button kind="main" busy={busy} onClick={() => void change('restore')}>
            {archive.restore}
          </Button>
        ) : (
          <Button kind="danger" onClick={() => setAsking(true)}>
            {archive.submit}
          </Button>
        )}
      </div>
      {asking && (
        <Dialog title={archive.dialogTitle} onClose={() => setAsking(false)}>
          <p>{archive.dialogText}</p>
          {error !== null && <Failed error={error} />}
          <div className="flex flex-wrap gap-2">
            <Button kind="danger" busy={busy} onClick={() => void change('archive')}>
              {archive.submit}
            </Button>
            <Button onClick={() => setAsking(false)}>{cancel}</Button>
          </div>
        </Dialog>
      )}
    </Card>
  )
}
