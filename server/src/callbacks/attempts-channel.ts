// The notifications between processes about attempts that were just recorded. They carry ids and states, and no texts.

/** In every process, event streams and redirects that wait for a delivery listen on this channel. */
export const ATTEMPTS_CHANNEL = 'callback_attempts'

/** A notification lists entries of the form `project id attempt status`, separated by commas. */
export function parseNotification(notification: string): { projectId: string; id: string; status: string }[] {
  if (notification === '') return []
  return notification.split(',').map((entry) => {
    const [projectId = '', id = '', , status = ''] = entry.split(' ')
    return { projectId, id, status }
  })
}
