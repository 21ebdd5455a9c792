import { useEffect, useRef } from 'react'
import type { ProjectView } from '@pazar/contract'
import { roleMay } from '@pazar/contract/permissions'
import { toFieldErrors } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { cacheProject } from '../../api/projects.ts'
import { classNames } from '../../ui/class-names.ts'
import { words } from '../../ui/language.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toasts.tsx'
import { FormError } from '../../parts/form-error.tsx'
import { useForm } from '../../ui/use-form.ts'
import { useProjectFields } from '../../parts/project-form/project-fields.tsx'
import { toChangedFields, toUpdateBody, toValues } from '../../parts/project-form/project-values.ts'
import { LeaveGuard } from './leave-guard.tsx'
import { Section } from './section.tsx'
import { useSavedDraft } from './use-saved-draft.ts'

/** If a field is scrolled into view, the bar with the buttons must not cover the field, its error or its hint. */
const FORM = classNames(
  'grid gap-6 [&_input]:scroll-mb-48 max-lg:[&_input]:scroll-mb-72',
  '[&_[id$=-error]]:scroll-mb-40 max-lg:[&_[id$=-error]]:scroll-mb-72',
)

export function SettingsForm({ project }: { project: ProjectView }) {
  const { settings } = words()
  const saved = toValues(project)
  const draft = useSavedDraft(`settings-${project.id}`, saved)
  const changed = toChangedFields(saved, draft.values)
  const form = useRef<HTMLFormElement>(null)
  const { error, busy, onSubmit } = useForm(async () => {
    if (changed.length === 0) return
    const next = await call<ProjectView>('/sdk/project/update', toUpdateBody(project.id, saved, draft.values))
    draft.resetTo(toValues(next))
    cacheProject(next)
    toast(settings.saved)
  })
  useSaveKey(form)
  const fields = useProjectFields({
    values: draft.values,
    onChange: draft.set,
    fieldErrors: toFieldErrors(error),
    saved,
  })
  return (
    <>
      <form ref={form} className={FORM} onSubmit={onSubmit}>
        <FormError error={error} fields={fields.withErrors} />
        <FieldSections fields={fields} isLiveHidden={!roleMay(project.role, 'configure_live')} />
        <div
          className={classNames(
            'flex flex-wrap items-center gap-x-4 gap-y-2',
            changed.length > 0 &&
              'sticky bottom-4 z-10 rounded-card border border-control bg-raised p-4 shadow-overlay max-lg:bottom-20',
          )}
        >
          <Button kind="main" type="submit" busy={busy} disabled={changed.length === 0}>
            {settings.save}
          </Button>
          {changed.length > 0 && (
            <>
              <Button onClick={() => draft.resetTo(saved)}>{settings.undo}</Button>
              <p role="status" className="text-sm text-muted">
                {settings.changes(changed.length)}
                {fields.errorCount > 0 && (
                  <>
                    {', '}
                    <button
                      type="button"
                      className="text-error underline underline-offset-4"
                      onClick={() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()}
                    >
                      {settings.toCorrect(fields.errorCount)}
                    </button>
                  </>
                )}
              </p>
            </>
          )}
        </div>
      </form>
      <LeaveGuard hasChanges={changed.length > 0} onDiscard={() => draft.resetTo(saved)} />
    </>
  )
}

interface FieldSectionsProps {
  fields: ReturnType<typeof useProjectFields>
  /** True for roles that may not change the live URLs, the events or `requireSignedLinks`. */
  isLiveHidden: boolean
}

function FieldSections({ fields, isLiveHidden }: FieldSectionsProps) {
  const { sections, events } = words().settings
  return (
    <>
      <Section {...sections.project}>
        {fields.name}
        {fields.timeZone}
      </Section>
      <Section {...sections.urls}>
        {!isLiveHidden && fields.resultUrl}
        {!isLiveHidden && fields.apiUrl}
        {fields.testApiUrl}
      </Section>
      {!isLiveHidden && <Section {...sections.links}>{fields.requireSignedLinks}</Section>}
      {!isLiveHidden && (
        <Section title={events.title} text={events.text}>
          {fields.events}
        </Section>
      )}
    </>
  )
}

function useSaveKey(form: { current: HTMLFormElement | null }): void {
  useEffect(() => {
    const save = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      // A hidden form has no offsetParent.
      if (form.current?.offsetParent) form.current.requestSubmit()
    }
    window.addEventListener('keydown', save)
    return () => window.removeEventListener('keydown', save)
  }, [form])
}
