// The merchant's own account: how the portal looks to him, how he proves who he is, and where he is signed in.
import { formatNumber } from '../../format.ts'
import { plural } from '../../plural.ts'

export const account = {
  title: 'Account',
  tabs: { general: 'General', sessions: 'Sessions', audit: 'Activity' },
  look: 'Language and appearance',
  timeZone: 'Time zone',
  timeZoneHint: 'Days in lists and exports are days of this zone.',
  email: {
    title: 'Email',
    current: (email: string) => `Current: ${email}`,
    confirmed: 'confirmed',
    unconfirmed: 'not confirmed yet',
    field: 'New email',
    submit: 'Change email',
    sent: 'We have sent a link to the new address. The email changes once you open it.',
  },
  password: {
    title: 'Password',
    submit: 'Change password',
    done: 'The password is changed. Other devices were signed out.',
  },
  sessions: {
    title: 'Where you are signed in',
    this: 'This device',
    lastSeen: 'Last seen',
    since: 'Since',
    end: 'Sign out',
    endAll: 'Sign out all others',
    ended: (n: number) =>
      `${formatNumber('en', n)} ${plural('en', n, { one: 'session', other: 'sessions' })} ended.`,
    only: 'You are signed in on this device only.',
  },
  audit: {
    title: 'Activity',
    text: 'What was done with your account, and from where.',
    more: 'Show older',
    columns: { time: 'Time', action: 'Action', project: 'Project', ip: 'IP address', browser: 'Browser' },
  },
}
