// Puts the reader's own project into a page: its id and its two addresses, where the guide has placeholders.
import type { Project } from '../projects/project.ts'

export const PLACEHOLDERS = {
  id: 'YOUR_PROJECT_ID',
  resultUrl: 'https://shop.example.com/thanks',
  apiUrl: 'https://shop.example.com/pazar/callback',
} as const

/**
 * Characters that mean the same in HTML, Markdown, JSON and a shell's quotes. An address with others stays a
 * placeholder: an example that breaks is worse than one that is somebody else's.
 */
const PLAIN = /^[\w:/.?=%~-]+$/

/** For Markdown and for HTML alike. */
export function fillProject(text: string, project: Project | null): string {
  if (!project) return text
  return (['id', 'resultUrl', 'apiUrl'] as const).reduce(
    (filled, name) =>
      PLAIN.test(project[name]) ? filled.replaceAll(PLACEHOLDERS[name], project[name]) : filled,
    text,
  )
}

/** A link into a project's pages leads to the list of projects as long as nobody knows which one. */
export function fillPage(html: string, project: Project | null): string {
  const links = /(<a href="\/(?:en|cnr)\/projects)\/YOUR_PROJECT_ID[^"]*"/g
  return project ? fillProject(html, project) : html.replaceAll(links, '$1"')
}
