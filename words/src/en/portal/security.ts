import { RECOVERY_WAIT_HOURS } from '@pazar/contract/limits'
import { formatNumber } from '../../format.ts'
import { plural } from '../../plural.ts'

export const security = {
  title: 'Security',
  purpose: 'How you prove that it is you: passkeys, an authenticator app and recovery codes.',
  /** While a removal of all second factors is planned. */
  removal: {
    title: 'Your second factors will be removed',
    text: (when: string) =>
      `The operator was told that you have lost your passkeys, app and codes. After ${when}, the password alone is enough to sign in. If you did not ask for this, cancel it, change your password (Account, General) and contact the operator.`,
    cancel: 'Cancel the removal',
    cancelled: 'The removal was cancelled. Your second factors stay.',
  },
  summary: {
    title: 'How safe is this account?',
    levels: {
      weak: 'Only the password protects it',
      fair: 'Protected, but not everything is done',
      strong: 'Well protected',
    },
    weakText: 'Anyone who learns the password gets in. Add a passkey or an authenticator app.',
    fairText: (n: number) =>
      `A stolen password alone lets nobody in. ${formatNumber('en', n)} ${plural('en', n, { one: 'item', other: 'items' })} left to do.`,
    strongText: 'A stolen password alone lets nobody in, and you can get in when a device is lost.',
    fix: { add: 'Add one', email: 'Confirm it' },
    factor: { yes: 'A second factor is on', no: 'No second factor' },
    codes: (n: number) => `Recovery codes left: ${formatNumber('en', n)}`,
    email: { yes: 'The email address is confirmed', no: 'The email address is not confirmed' },
    spare: {
      yes: 'You have several passkeys, or a passkey and the app',
      no: 'Only one passkey, or only the app, is set up; add a second way',
    },
  },
  password: {
    text: 'A new password signs out all other devices. You can revoke your API tokens at the same time.',
  },
  sessions: {
    title: 'Sessions',
    text: 'Where you are signed in now.',
    count: (n: number) =>
      `${formatNumber('en', n)} ${plural('en', n, { one: 'session', other: 'sessions' })}`,
    open: 'Show sessions',
  },
  devices: {
    title: 'Known browsers',
    text: 'Browsers that you have signed in from before. You can sign in from them even when someone else keeps entering wrong passwords, and we send no email about those sign-ins.',
    count: (n: number) =>
      `${formatNumber('en', n)} ${plural('en', n, { one: 'browser', other: 'browsers' })}`,
    forget: 'Forget all others',
    forgotten: (n: number) =>
      `${formatNumber('en', n)} ${plural('en', n, { one: 'browser', other: 'browsers' })} forgotten.`,
  },
  tokens: {
    title: 'API tokens',
    text: 'Programs that act for your account.',
    count: (n: number) => `${formatNumber('en', n)} ${plural('en', n, { one: 'token', other: 'tokens' })}`,
    open: 'Show tokens',
  },
  passkeys: {
    title: 'Passkeys',
    text: 'Sign in with your fingerprint, face or PIN instead of a password. A passkey cannot be guessed or typed into the wrong site.',
    unavailable: 'Passkeys need a host name, and this service runs on an IP address.',
    empty: 'No passkeys yet.',
    add: 'Add a passkey',
    added: 'The passkey was added.',
    addTitle: 'Add a passkey',
    name: 'Name',
    nameHint: 'For example, the device that it is on.',
    submit: 'Continue on this device',
    failed: 'No passkey was created. Your device may not support passkeys, or its passkey is already added.',
    lastUsed: 'Last used',
    neverUsed: 'Not used yet',
    created: 'Added',
    rename: 'Rename',
    renameTitle: 'Rename this passkey',
    renamed: 'The passkey was renamed.',
    remove: 'Remove',
    removeTitle: 'Remove this passkey?',
    removeText: (name: string) =>
      `You will no longer be able to sign in with “${name}”. Also delete it on the device. If it is your only second factor, the password alone will be enough to sign in, and your recovery codes are deleted.`,
    removeSubmit: 'Remove passkey',
    removed: 'The passkey was removed.',
  },
  app: {
    title: 'Authenticator app',
    text: 'An app on your phone shows a new code every 30 seconds. Signing in then needs the password and a code.',
    on: 'On',
    off: 'Off',
    since: 'Since',
    add: 'Set up the app',
    replace: 'Move to another phone',
    remove: 'Remove the app',
    removed: 'The app was removed.',
    removeTitle: 'Remove the authenticator app?',
    removeText:
      'If the app is your only second factor, the password alone will be enough to sign in, and your recovery codes are deleted.',
    setUp: {
      title: 'Set up the authenticator app',
      scan: 'Scan this with the app, or type the set-up key into it. Then enter the code that it shows.',
      onPhone:
        'Open the set-up key in your authenticator app, or copy it there. Then enter the six digits that the app shows.',
      otherDevice: 'Is the app on another device? Scan this QR code with it.',
      openApp: 'Open in the authenticator app',
      qrAlt: 'QR code for the authenticator app',
      secret: 'Set-up key',
      code: 'Code from the app',
      ended:
        'This set-up has ended. Close this dialog to see whether the app is on. If it is, create new recovery codes; if not, start again.',
      submit: 'Turn on',
    },
  },
  codes: {
    title: 'Recovery codes',
    text: `For when you lose your phone. For ${RECOVERY_WAIT_HOURS} hours after a recovery code is used, live secrets cannot be shown or rotated, and no payment can be refunded in the portal. You also cannot create API tokens or change your email address, and some other actions are not possible.`,
    none: 'You get them when you set up your first passkey or the authenticator app.',
    left: (n: number) => `${n} ${plural('en', n, { one: 'code is', other: 'codes are' })} left.`,
    renew: 'Create new codes',
    fresh: {
      title: 'Your recovery codes',
      text: 'Print them or save them in a password manager, not on the phone with the app. They cannot be shown again. Earlier codes no longer work.',
      list: 'Recovery codes',
      close: 'I have saved them',
    },
  },
}
