// Moves committed events from the inbox to the feed. A request for the events of a project publishes them first, so the
// background loop is needed only for projects whose events nobody requests.
import { ServiceError } from '../lib/service-error.ts'
import type { ProjectDeps } from '../projects/deps.ts'
import { listWaitingProjects, publishEvents, readHead } from './feed-store.ts'

export const FEED_POLL_MS = 5_000
/** Small enough that a reader of the same project waits only milliseconds for the lock. */
export const PUBLISH_BATCH = 1_000
const PROJECTS_PER_STEP = 200

/** These batches have 100,000 events in total, which is more than a project gets between two steps of the loop. */
const BATCHES_MAX = 100

export async function publishAll({ db }: Pick<ProjectDeps, 'db'>, projectId: string): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const { waiting } = await readHead(db, projectId)
    if (!waiting || (await publishEvents(db, projectId, PUBLISH_BATCH)) < PUBLISH_BATCH) return
  }
  throw new ServiceError('unavailable', { retryAfterSec: 5, log: 'the project has more events to publish' })
}

/** Publishes only one batch, because a person waits. This batch usually contains what the person has just done. */
export async function publishBatch({ db }: Pick<ProjectDeps, 'db'>, projectId: string): Promise<void> {
  const { waiting } = await readHead(db, projectId)
  if (waiting) await publishEvents(db, projectId, PUBLISH_BATCH)
}

/** Publishes one batch of each project that has waiting events. Returns whether there may be more. */
export async function publishWaiting({ db, log }: Pick<ProjectDeps, 'db' | 'log'>): Promise<boolean> {
  const projectIds = await listWaitingProjects(db, PROJECTS_PER_STEP)
  let published = 0
  for (const projectId of projectIds) {
    try {
      published += await publishEvents(db, projectId, PUBLISH_BATCH)
    } catch (error) {
      // The other projects must not wait for this project. The next step retries it.
      log.error({ err: error, projectId }, 'publishing the events of a project failed')
    }
  }
  return published >= PUBLISH_BATCH || projectIds.length === PROJECTS_PER_STEP
}
