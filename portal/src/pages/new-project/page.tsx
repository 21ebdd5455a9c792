// A new project: three fields and the switch for signed links, each checked while it is typed. The service has the last
// word, and what it refuses stands at the field it concerns.
import { useNavigate } from '@tanstack/react-router'
import type { ProjectView } from '@pazar/contract'
import { toFieldTexts } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { keepProject, useProjects } from '../../api/projects.ts'
import { useDraft } from '../../app/drafts.ts'
import { words } from '../../app/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import { useForm } from '../../ui/use-form.ts'
import { ProjectFields } from '../project-form/project-fields.tsx'
import { EMPTY_PROJECT, toAddBody } from '../project-form/project-values.ts'

export function Page() {
  const { add, list } = words().projects
  const { data } = useProjects()
  // Said before a form is filled in for nothing; the service has the last word.
  const isFull = data && data.projects.filter(({ archivedAt }) => archivedAt === null).length >= data.limit
  const navigate = useNavigate()
  const draft = useDraft('new-project', EMPTY_PROJECT)
  const { error, busy, onSubmit } = useForm(async () => {
    const project = await call<ProjectView>('/sdk/project/add', toAddBody(draft.values))
    draft.done(EMPTY_PROJECT)
    keepProject(project)
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
        <Refusal error={error} />
        <form className="grid gap-5" onSubmit={onSubmit}>
          <ProjectFields values={draft.values} onChange={draft.set} wrong={toFieldTexts(error)} isNew />
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
