import { Lock } from 'lucide-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ProjectView } from '@pazar/contract'
import { deleteProject } from '../../api/projects.ts'
import { useTransactions } from '../../api/transactions.ts'
import { isSameName } from '../../parts/same-name.ts'
import { TypeToConfirmDialog } from '../../parts/type-to-confirm-dialog.tsx'
import { watchPage } from '../../parts/watch-page.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { words } from '../../ui/language.ts'
import { toast } from '../../ui/toasts.tsx'

export function DeleteCard({ project }: { project: ProjectView }) {
  const { remove } = words().settings
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  // A project with live payments cannot be deleted. The service checks this too.
  const { data: live } = useTransactions({ projectId: project.id, mode: 'live', limit: 1 })
  const isUsed = live !== undefined && live.items.length > 0
  return (
    <Card title={remove.title} text={remove.text}>
      {isUsed ? (
        <p className="flex gap-1.5 text-sm">
          <Lock aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
          {remove.used} {project.archivedAt === null && remove.orArchive}
        </p>
      ) : (
        <div>
          <Button kind="danger" onClick={() => setAsking(true)}>
            {remove.submit}
          </Button>
        </div>
      )}
      {asking && (
        <TypeToConfirmDialog
          title={remove.dialogTitle}
          field={{ label: remove.nameField, hint: remove.typeName(project.name) }}
          isMatch={(typed) => isSameName(typed, project.name)}
          submit={remove.submit}
          act={async () => {
            const isPageOpen = watchPage()
            await deleteProject(project.id)
            toast(remove.done)
            if (isPageOpen()) await navigate({ to: '/projects' })
          }}
          onClose={() => setAsking(false)}
        >
          <p>{remove.dialogText}</p>
        </TypeToConfirmDialog>
      )}
    </Card>
  )
}
