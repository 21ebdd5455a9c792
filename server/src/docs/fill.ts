// Replaces the placeholders of a page with the values of the reader's own project: its id and its two URLs.
import type { Project } from '../projects/project.ts'

export const PLACEHOLDERS = {
  id: 'YOUR_PROJECT_ID',
  resultUrl: 'https://shop.example.com/thanks',
  apiUrl: 'https://shop.example.com/pazar/callback',
} as const

/**
 * Characters that need no escaping in HTML, Markdown, JSON and the quotes of a shell. If a URL has other characters, the
 * placeholder stays, because a broken example is worse than a generic one.
 */
const PLAIN_TEXT = /^[\w:/.?=%~-]+$/

/** The inbox is not filled in, because the examples are about a server: the exam, for example, sends nothing to an inbox. */
function isUsable(project: Project, name: 'id' | 'resultUrl' | 'apiUrl'): boolean {
  const isInbox = name === 'apiUrl' && project.apiUrl.endsWith(`/inbox/${project.id}`)
  return !isInbox && PLAIN_TEXT.test(project[name])
}

/** The text is Markdown or HTML. */
export function fillProject(text: string, project: Project | null): string {
  if (!project) return text
  return (['id', 'resultUrl', 'apiUrl'] as const).reduce(
    (filled, name) =>
      isUsable(project, name) ? filled.replaceAll(PLACEHOLDERS[name], project[name]) : filled,
    text,
  )
}

/** Without a project, links to the pages of a project become links to the list of projects. */
export function fillPage(html: string, project: Project | null): string {
  const links = /(<a href="\/(?:en|cnr)\/projects)\/YOUR_PROJECT_ID[^"]*"/g
  return project ? fillProject(html, project) : html.replaceAll(links, '$1"')
}
