import { RECOVERY_WAIT_HOURS } from '@pazar/contract/limits'

export const secondFactor = {
  title: 'Second factor',
  text: 'Your password is correct. Now open the authenticator app on your phone and enter the six digits that it shows for this account.',
  confirmText:
    'Open the authenticator app on your phone and enter the six digits that it shows for this account.',
  passkeyText: 'This account has a passkey. Confirm with your fingerprint, face or PIN.',
  or: 'or',
  recoveryText: `Enter one of the recovery codes that you saved. Each works once. For ${RECOVERY_WAIT_HOURS} hours after you use one, refunds in the portal, showing live secrets and some other actions are not possible.`,
  code: 'Code from the app',
  recoveryCode: 'Recovery code',
  lost: 'Lost your phone?',
  useRecovery: 'Use a recovery code',
  useApp: 'Use the app',
  passkey: 'Use a passkey',
  passkeyFailed: 'The passkey was not used. Try again, or choose another way.',
  submit: 'Continue',
  back: 'Sign in as someone else',
  wrong: 'This code is wrong or was already used. The app shows a new one every 30 seconds.',
  wrongRecovery: 'This code is wrong or was already used. Enter another recovery code.',
  expired: 'You entered the password too long ago. Enter it again.',
  stepUpText: 'We will not ask again for five minutes.',
}
