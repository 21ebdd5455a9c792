// What processes notify each other of: attempts that were just recorded, by id only.

/** Received by event streams and by redirects that wait, in every process. */
export const ATTEMPTS_CHANNEL = 'callback_attempts'

/** `project id attempt status`, and a comma between two. */
export function parseNotification(notification: string): { projectId: string; id: string; status: string }[] {
  if (notification === '') return []
  return notification.split(',').map((entry) => {
    const [projectId = '', id = '', , status = ''] = entry.split(' ')
    return { projectId, id, status }
  })
}
