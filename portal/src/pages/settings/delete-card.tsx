import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { ProjectView } from '@pazar/contract'
import { GivenUp } from '../../api/api-error.ts'
import { deleteProject } from '../../api/projects.ts'
import { words } from '../../app/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { isSameName } from '../../ui/same-name.ts'
import { Failed } from '../../ui/states.tsx'
import { toast } from '../../ui/toasts.tsx'

export function DeleteCard({ project }: { project: ProjectView }) {
  const { remove } = words().settings
  const [asking, setAsking] = useState(false)
  return (
    <Card title={remove.title} text={remove.text} className="max-w-3xl">
      <div>
        <Button kind="danger" onClick={() => setAsking(true)}>
          {remove.submit}
        </Button>
      </div>
      {asking && <DeleteDialog project={project} onClose={() => setAsking(false)} />}
    </Card>
  )
}

function DeleteDialog({ project, onClose }: { project: ProjectView; onClose: () => void }) {
  const { remove } = words().settings
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      await deleteProject(project.id)
      toast(remove.done)
      await navigate({ to: '/projects' })
    } catch (refusal) {
      if (!(refusal instanceof GivenUp)) setError(refusal)
      setBusy(false)
    }
  }
  return (
    <Dialog title={remove.dialogTitle} onClose={() => !busy && onClose()}>
      {error !== null && <Failed error={error} />}
      <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
        <Field
          label={remove.nameField}
          hint={remove.typeName(project.name)}
          value={typed}
          onText={setTyped}
          autoComplete="off"
        />
        <div className="flex flex-wrap gap-2">
          <Button kind="danger" type="submit" disabled={!isSameName(typed, project.name)} busy={busy}>
            {remove.submit}
          </Button>
          <Button disabled={busy} onClick={onClose}>
            {words().frame.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
