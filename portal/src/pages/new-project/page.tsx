// A new project, for an account that has others already; the list of projects has the same form for the first one.
import { useProjects } from '../../api/projects.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { NewProjectForm } from '../../parts/project-form/new-project-form.tsx'
import { Card } from '../../ui/card.tsx'
import { words } from '../../ui/language.ts'
import { Notice } from '../../ui/notice.tsx'

export function Page() {
  const { add, list } = words().projects
  const { data } = useProjects()
  // The page says that the limit is reached before anybody fills in the form. The service checks it too.
  const isFull =
    data &&
    data.projects.filter(({ archivedAt, role }) => archivedAt === null && role === 'owner').length >=
      data.limit
  return (
    <>
      <PageHead title={add.title} text={add.text} />
      {isFull && (
        <Notice tone="info" live={false}>
          {list.full}
        </Notice>
      )}
      <Card className="max-w-2xl">
        <NewProjectForm />
      </Card>
    </>
  )
}
