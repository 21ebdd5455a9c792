// Notifications between processes about recorded attempts.

export const ATTEMPTS_CHANNEL = 'callback_attempts'

/**
 * The entries are separated by commas. Each entry has the project id, the callback id, the number of the attempt and the
 * new state, separated by spaces.
 */
export function parseNotification(notification: string): { projectId: string; id: string; status: string }[] {
  if (notification === '') return []
  return notification.split(',').map((entry) => {
    const [projectId = '', id = '', , status = ''] = entry.split(' ')
    return { projectId, id, status }
  })
}
