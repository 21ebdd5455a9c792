import type { Brand } from './brand.ts'
import { toLogoPath } from './brand.ts'
import type { CallbackEventName, ProjectView, Role } from '@pazar/contract'

export interface Project {
  id: string
  ownerId: string
  /** The role of the person for whom the project was read. */
  role: Role
  isOwnerVerified: boolean
  name: string
  resultUrl: string
  apiUrl: string
  testApiUrl: string | null
  requireSignedLinks: boolean
  events: CallbackEventName[]
  timeZone: string
  brand: Brand
  archivedAt: Date | null
  createdAt: Date
  updatedAt: Date
  secretRotatedAt: Date
  testSecretRotatedAt: Date
}

export type ProjectSettings = Pick<
  Project,
  'name' | 'resultUrl' | 'apiUrl' | 'testApiUrl' | 'requireSignedLinks' | 'events' | 'timeZone'
>

/** Without a time zone, the project gets the owner's time zone. Without events, it gets only `payment.result`. */
export type NewProject = Omit<ProjectSettings, 'events' | 'timeZone'> &
  Partial<Pick<ProjectSettings, 'events' | 'timeZone'>>

function toBrandView({ logo, ...brand }: Brand, baseUrl: string): ProjectView['brand'] {
  return { ...brand, logoUrl: logo && `${baseUrl}${toLogoPath(logo)}` }
}

export function toProjectView(project: Project, baseUrl: string): ProjectView {
  return {
    id: project.id,
    name: project.name,
    resultUrl: project.resultUrl,
    apiUrl: project.apiUrl,
    testApiUrl: project.testApiUrl,
    requireSignedLinks: project.requireSignedLinks,
    events: project.events,
    timeZone: project.timeZone,
    brand: toBrandView(project.brand, baseUrl),
    role: project.role,
    ownerVerified: project.isOwnerVerified,
    archivedAt: project.archivedAt?.toISOString() ?? null,
    createdAt: project.createdAt.toISOString(),
    updatedAt: project.updatedAt.toISOString(),
    secretRotatedAt: project.secretRotatedAt.toISOString(),
    testSecretRotatedAt: project.testSecretRotatedAt.toISOString(),
  }
}
