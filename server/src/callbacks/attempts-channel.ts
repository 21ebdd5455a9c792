// Notifications between processes about recorded attempts.

export const ATTEMPTS_CHANNEL = 'callback_attempts'

/** Commas separate the entries. Spaces separate project id, callback id, number of the attempt and new state of an entry. */
export function parseNotification(notification: string): { projectId: string; id: string; status: string }[] {
  if (notification === '') return []
  return notification.split(',').map((entry) => {
    const [projectId = '', id = '', , status = ''] = entry.split(' ')
    return { projectId, id, status }
  })
}
