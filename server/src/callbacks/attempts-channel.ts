// The notifications between processes about attempts that were just recorded. They carry ids only.

/** Event streams and waiting redirects listen on it, in every process. */
export const ATTEMPTS_CHANNEL = 'callback_attempts'

/** `project id attempt status`; entries are separated by commas. */
export function parseNotification(notification: string): { projectId: string; id: string; status: string }[] {
  if (notification === '') return []
  return notification.split(',').map((entry) => {
    const [projectId = '', id = '', , status = ''] = entry.split(' ')
    return { projectId, id, status }
  })
}
