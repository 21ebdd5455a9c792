// The notifications between processes about attempts that were just recorded. They carry ids and states, and no texts.

/** In every process, event streams and redirects that wait for a delivery listen on this channel. */
export const ATTEMPTS_CHANNEL = 'callback_attempts'

/**
 * A notification has entries separated by commas. Each names the project, the callback, the number of the attempt and the
 * callback's new state, separated by spaces.
 */
export function parseNotification(notification: string): { projectId: string; id: string; status: string }[] {
  if (notification === '') return []
  return notification.split(',').map((entry) => {
    const [projectId = '', id = '', , status = ''] = entry.split(' ')
    return { projectId, id, status }
  })
}
