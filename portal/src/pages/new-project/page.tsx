// A new project: three fields and the switch for signed links, checked while typing. The service decides, and its errors
// are shown at their fields.
import { useNavigate } from '@tanstack/react-router'
import type { ProjectView } from '@pazar/contract'
import { toFieldErrors } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { cacheProject, useProjects } from '../../api/projects.ts'
import { useDraft } from '../../ui/drafts.ts'
import { words } from '../../ui/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { FormError } from '../../parts/form-error.tsx'
import { useForm } from '../../ui/use-form.ts'
import { ProjectFields } from '../../parts/project-form/project-fields.tsx'
import { EMPTY_PROJECT, toAddBody } from '../../parts/project-form/project-values.ts'

export function Page() {
  const { add, list } = words().projects
  const { data } = useProjects()
  // The limit is shown before anybody fills in a form in vain. The service decides.
  const isFull =
    data &&
    data.projects.filter(({ archivedAt, role }) => archivedAt === null && role === 'owner').length >=
      data.limit
  const navigate = useNavigate()
  const draft = useDraft('new-project', EMPTY_PROJECT)
  const { error, busy, onSubmit } = useForm(async () => {
    const project = await call<ProjectView>('/sdk/project/add', toAddBody(draft.values))
    draft.discard(EMPTY_PROJECT)
    cacheProject(project)
    await navigate({ to: '/projects/$id', params: { id: project.id }, search: { mode: 'test' } })
  })
  return (
    <>
      <PageHead title={add.title} />
      {isFull && (
        <Notice tone="info" live={false}>
          {list.full}
        </Notice>
      )}
      <Card text={add.text} className="max-w-2xl">
        <FormError error={error} />
        <form className="grid gap-5" onSubmit={onSubmit}>
          <ProjectFields
            values={draft.values}
            onChange={draft.set}
            fieldErrors={toFieldErrors(error)}
            isNew
          />
          <div>
            <Button kind="main" type="submit" busy={busy}>
              {add.submit}
            </Button>
          </div>
        </form>
      </Card>
    </>
  )
}
