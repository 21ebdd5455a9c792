import type { Library } from '../docs/library.ts'
import type { ProjectDeps } from '../projects/deps.ts'

export interface AssistantDeps extends ProjectDeps {
  library: Library
}
