import type { Project } from '../projects/project.ts'

export const PLACEHOLDERS = {
  id: 'YOUR_PROJECT_ID',
  resultUrl: 'https://shop.example.com/thanks',
  apiUrl: 'https://shop.example.com/pazar/callback',
} as const

/** Characters that need no escaping. For any other URL, the placeholder stays, because it is better than a broken example. */
const PLAIN_TEXT = /^[\w:/.?=%~-]+$/

/** The URL of our own inbox page is not filled in, because the examples are about a merchant's server. */
function isUsable(project: Project, name: 'id' | 'resultUrl' | 'apiUrl'): boolean {
  const isInbox = name === 'apiUrl' && project.apiUrl.endsWith(`/inbox/${project.id}`)
  return !isInbox && PLAIN_TEXT.test(project[name])
}

export function fillProject(text: string, project: Project | null): string {
  if (!project) return text
  return (['id', 'resultUrl', 'apiUrl'] as const).reduce(
    (filled, name) =>
      isUsable(project, name) ? filled.replaceAll(PLACEHOLDERS[name], project[name]) : filled,
    text,
  )
}

export function fillPage(html: string, project: Project | null): string {
  const links = /(<a href="\/(?:en|cnr)\/projects)\/YOUR_PROJECT_ID[^"]*"/g
  return project ? fillProject(html, project) : html.replaceAll(links, '$1"')
}
