import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { ProjectView } from '@pazar/contract'
import { roleMay } from '@pazar/contract/permissions'
import { toFieldErrors } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { cacheProject } from '../../api/projects.ts'
import { isLeavingAllowed, useDraft } from '../../ui/drafts.ts'
import { words } from '../../ui/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { toast } from '../../ui/toasts.tsx'
import { FormError } from '../../parts/form-error.tsx'
import { useForm } from '../../ui/use-form.ts'
import { ProjectFields } from '../../parts/project-form/project-fields.tsx'
import { toChangedFields, toUpdateBody, toValues } from '../../parts/project-form/project-values.ts'
import { LeaveDialog } from './leave-dialog.tsx'

export function SettingsForm({ project }: { project: ProjectView }) {
  const { settings } = words()
  const saved = toValues(project)
  const draft = useDraft(`settings-${project.id}`, saved)
  const [lastSaved, setLastSaved] = useState(saved)
  if (toChangedFields(lastSaved, saved).length > 0) {
    // Without this, saving one field here would undo what another tab or user has just saved in the others.
    setLastSaved(saved)
    draft.follow(lastSaved, saved)
  }
  const changed = toChangedFields(saved, draft.values)
  const form = useRef<HTMLFormElement>(null)
  const { error, busy, onSubmit } = useForm(async () => {
    if (changed.length === 0) return
    const next = await call<ProjectView>('/sdk/project/update', toUpdateBody(project.id, saved, draft.values))
    draft.discard(toValues(next))
    cacheProject(next)
    toast(settings.saved)
  })
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => changed.length > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: () => changed.length > 0 && !isLeavingAllowed(),
    withResolver: true,
  })
  useSaveKey(form)
  return (
    <Card>
      <FormError error={error} />
      <form ref={form} className="grid gap-5" onSubmit={onSubmit}>
        <ProjectFields
          values={draft.values}
          onChange={draft.set}
          fieldErrors={toFieldErrors(error)}
          saved={saved}
          isLiveHidden={!roleMay(project.role, 'configure_live')}
        />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button kind="main" type="submit" busy={busy} disabled={changed.length === 0}>
            {settings.save}
          </Button>
          {changed.length > 0 && (
            <>
              <Button onClick={() => draft.discard(saved)}>{settings.undo}</Button>
              <p role="status" className="text-sm text-muted">
                {settings.changes(changed.length)}
              </p>
            </>
          )}
        </div>
      </form>
      {blocker.status === 'blocked' && (
        <LeaveDialog
          onStay={blocker.reset}
          onLeave={() => {
            draft.discard(saved)
            blocker.proceed()
          }}
        />
      )}
    </Card>
  )
}

/** Saves the form with Ctrl or Command and S. */
function useSaveKey(form: { current: HTMLFormElement | null }): void {
  useEffect(() => {
    const save = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      form.current?.requestSubmit()
    }
    window.addEventListener('keydown', save)
    return () => window.removeEventListener('keydown', save)
  }, [form])
}
