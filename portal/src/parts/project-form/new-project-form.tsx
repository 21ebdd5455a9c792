import { Link, useNavigate } from '@tanstack/react-router'
import { toFieldErrors } from '../../api/api-error.ts'
import { hasServicePages, SERVICE_PAGES } from '../../api/service-pages.ts'
import { addProject, cacheProject, useProjects } from '../../api/projects.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { useDraft } from '../../ui/drafts.ts'
import { Check } from '../../ui/field.tsx'
import { words } from '../../ui/language.ts'
import { useForm } from '../../ui/use-form.ts'
import { FormError } from '../form-error.tsx'
import { watchPage } from '../watch-page.ts'
import { useProjectFields } from './project-fields.tsx'
import { EMPTY_PROJECT, hasNoServerYet, toAddBody } from './project-values.ts'

const INITIAL_CHOICE = { isChosen: false, usesServicePages: false }

/** With `canCancel`, a link leads back to the list of projects. */
export function NewProjectForm({ canCancel = false }: { canCancel?: boolean }) {
  const { add, form } = words().projects
  const { data } = useProjects()
  const navigate = useNavigate()
  const draft = useDraft('new-project', EMPTY_PROJECT)
  const choice = useDraft('new-project-pages', INITIAL_CHOICE)
  // Until the person clicks the checkbox, it is checked if they have no server yet. It stays unchecked if they typed a URL
  // before the list of projects was loaded.
  const hasUrl = draft.values.resultUrl !== '' || draft.values.apiUrl !== ''
  const usesServicePages = choice.values.isChosen
    ? choice.values.usesServicePages
    : !hasUrl && data !== undefined && hasNoServerYet(data.projects, hasServicePages)
  const { error, busy, onSubmit } = useForm(async () => {
    const isPageOpen = watchPage()
    const project = await addProject(
      toAddBody(usesServicePages ? { ...draft.values, ...SERVICE_PAGES } : draft.values),
    )
    draft.resetTo(EMPTY_PROJECT)
    choice.resetTo(INITIAL_CHOICE)
    cacheProject(project)
    if (!isPageOpen()) return
    await navigate({ to: '/projects/$id', params: { id: project.id }, search: { mode: 'test' } })
  })
  const fields = useProjectFields({
    values: draft.values,
    onChange: draft.set,
    fieldErrors: toFieldErrors(error),
    isNew: true,
  })
  return (
    <>
      <FormError error={error} fields={usesServicePages ? ['name', 'testApiUrl'] : fields.withErrors} />
      <form className="grid gap-5" onSubmit={onSubmit}>
        {fields.name}
        <Check
          label={form.ownPages}
          hint={usesServicePages ? form.ownPagesHint : form.ownUrlsHint}
          checked={usesServicePages}
          onCheck={(chosen) => choice.set({ isChosen: true, usesServicePages: chosen })}
          name="ownPages"
        />
        {!usesServicePages && fields.resultUrl}
        {!usesServicePages && fields.apiUrl}
        {fields.requireSignedLinks}
        <MoreFields {...fields} />
        <div className="flex flex-wrap gap-2">
          <Button kind="main" type="submit" busy={busy}>
            {add.submit}
          </Button>
          {canCancel && (
            <Link to="/projects" className={buttonClass()}>
              {words().frame.cancel}
            </Link>
          )}
        </div>
      </form>
    </>
  )
}

function MoreFields({ testApiUrl, events, timeZone }: ReturnType<typeof useProjectFields>) {
  const { projects, settings } = words()
  return (
    <details className="border-y border-line py-1">
      <summary className="min-h-11 content-center">
        <span className="font-medium">{projects.form.more}</span>
        <span className="ml-2 text-sm text-muted max-sm:mb-2 max-sm:ml-4 max-sm:block">
          {projects.form.moreText}
        </span>
      </summary>
      <div className="mt-2 mb-4 grid gap-5">
        {testApiUrl}
        <div className="grid gap-3">
          <div>
            <p className="text-sm font-medium">{settings.events.title}</p>
            <p className="text-sm text-muted">{settings.events.text}</p>
          </div>
          {events}
        </div>
        {timeZone}
      </div>
    </details>
  )
}
