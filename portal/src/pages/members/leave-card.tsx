import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { leaveProject } from '../../api/members.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { useAction } from '../../parts/use-action.ts'
import { watchPage } from '../../parts/watch-page.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { words } from '../../ui/language.ts'
import { toast } from '../../ui/toasts.tsx'

export function LeaveCard({ projectId }: { projectId: string }) {
  const { leave } = words().members
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const { run, busy, error } = useAction(async () => {
    const isPageOpen = watchPage()
    await leaveProject(projectId)
    toast(leave.done)
    if (isPageOpen()) await navigate({ to: '/projects', replace: true })
  })
  return (
    <Card title={leave.title} text={leave.text}>
      <div>
        <Button kind="danger" onClick={() => setAsking(true)}>
          {leave.submit}
        </Button>
      </div>
      {asking && (
        <ConfirmDialog
          title={leave.dialogTitle}
          submit={leave.submit}
          busy={busy}
          error={error}
          onConfirm={() => void run()}
          onClose={() => setAsking(false)}
        >
          <p>{leave.text}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
