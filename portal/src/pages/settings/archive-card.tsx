import { useState } from 'react'
import type { ProjectView } from '@pazar/contract'
import { call } from '../../api/call.ts'
import { cacheProject } from '../../api/projects.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Failed } from '../../parts/failed.tsx'
import { useAction } from '../../parts/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { words } from '../../ui/language.ts'

export function ArchiveCard({ project }: { project: ProjectView }) {
  const { archive } = words().settings
  const [asking, setAsking] = useState(false)
  const { run, busy, error } = useAction(async (action: 'archive' | 'restore') => {
    cacheProject(await call<ProjectView>(`/portal/api/projects/${project.id}/${action}`, {}))
    setAsking(false)
  })
  const isArchived = project.archivedAt !== null
  return (
    <Card title={archive.title} text={isArchived ? archive.restoreText : archive.text}>
      {error !== null && !asking && <Failed error={error} />}
      <div>
        {isArchived ? (
          <Button kind="main" busy={busy} onClick={() => void run('restore')}>
            {archive.restore}
          </Button>
        ) : (
          <Button onClick={() => setAsking(true)}>{archive.submit}</Button>
        )}
      </div>
      {asking && (
        <ConfirmDialog
          title={archive.dialogTitle(project.name)}
          submit={archive.submit}
          busy={busy}
          error={error}
          onConfirm={() => void run('archive')}
          onClose={() => setAsking(false)}
        >
          <p>{archive.dialogText}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
