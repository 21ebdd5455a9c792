// Gives positions to committed events. Readers do the same for their own project, so this only bounds how long the events
// of a project that nobody reads wait.
import type { ProjectDeps } from '../projects/deps.ts'
import { listWaitingProjects, publishEvents } from './feed-store.ts'

export const FEED_POLL_MS = 5_000
/** Short enough that a reader of the same project waits only milliseconds for its lock. */
export const PUBLISH_BATCH = 1_000
const PROJECTS_PER_STEP = 200

/** True: there may be more to do at once. */
export async function publishWaiting({ db, log }: Pick<ProjectDeps, 'db' | 'log'>): Promise<boolean> {
  const projectIds = await listWaitingProjects(db, PROJECTS_PER_STEP)
  let published = 0
  for (const projectId of projectIds) {
    try {
      published += await publishEvents(db, projectId, PUBLISH_BATCH)
    } catch (error) {
      // The others must not wait for one project; the next step tries it again.
      log.error({ err: error, projectId }, 'publishing the events of a project failed')
    }
  }
  return published >= PUBLISH_BATCH || projectIds.length === PROJECTS_PER_STEP
}
