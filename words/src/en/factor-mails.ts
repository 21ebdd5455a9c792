import { RECOVERY_WAIT_HOURS } from '@pazar/contract/limits'
import type { FactorChange, FactorFacts, FactorResetFacts, MailText } from '../mail-facts.ts'
import { plural } from '../plural.ts'

export const SECURE_ACCOUNT =
  'If this was not you, change your password at once (Account, General) and revoke your API tokens there as well. Other devices are then signed out automatically.'

export const NOT_YOU = 'Was this not you?'
export const CHANGE_PASSWORD = 'Change password'

/** The operator's contact follows the last step. */
export const toSecureSteps = (alsoEnded = ''): readonly string[] => [
  `Change your password, and revoke your API tokens on the same page. Other devices are then signed out${alsoEnded}.`,
  'Check your passkeys, authenticator app and recovery codes on the Security page.',
  'If you can no longer sign in, contact the operator of this service:',
]

const codesLeft = (left: number) =>
  left === 0
    ? 'No codes are left. Create new ones on the Security page.'
    : `${left} ${plural('en', left, { one: 'code is', other: 'codes are' })} left. You can create new ones on the Security page.`

const IF_LAST =
  'If it was your only second factor, the password alone is now enough to sign in, and your recovery codes were deleted.'
const LAST =
  'It was your last second factor: the password alone is now enough to sign in. Your recovery codes were deleted.'
const NOT_LAST = 'Your account still has another second factor.'

const whatIsLeft = (isLast: boolean | null | undefined) =>
  isLast === true ? LAST : isLast === false ? NOT_LAST : IF_LAST

/** If no second factor is left, the title says this instead of what was removed. */
const toRemovalTitle = (title: string, isLast: boolean | null | undefined) =>
  isLast === true ? 'Your account has no second factor now' : title

const CHANGES: Record<FactorChange, (facts: FactorFacts) => { subject: string; paragraphs: string[] }> = {
  totp_added: () => ({
    subject: 'An authenticator app was added',
    paragraphs: [
      'Signing in with the password now also requires a code from this app or a passkey. If you used the app on another phone before, its codes no longer work. New recovery codes were created; earlier ones no longer work.',
    ],
  }),
  totp_removed: ({ isLast }) => ({
    subject: toRemovalTitle('The authenticator app was removed', isLast),
    paragraphs: ['Your account no longer accepts codes from the authenticator app.', whatIsLeft(isLast)],
  }),
  recovery_codes_made: () => ({
    subject: 'New recovery codes were created',
    paragraphs: ['The earlier recovery codes of your account no longer work.'],
  }),
  recovery_code_used: ({ left }) => ({
    subject: 'A recovery code was used',
    paragraphs: [
      `A recovery code of your account was used. ${codesLeft(left ?? 0)}`,
      `For ${RECOVERY_WAIT_HOURS} hours, you cannot show or rotate live secrets or refund payments in the portal. You also cannot create API tokens or change your email address, and some other actions are not possible.`,
    ],
  }),
  passkey_added: ({ name }) => ({
    subject: 'A passkey was added',
    paragraphs: [`From now on, you can sign in to your account with the passkey “${name ?? ''}”.`],
  }),
  passkey_removed: ({ name, isLast }) => ({
    subject: toRemovalTitle('A passkey was removed', isLast),
    paragraphs: [
      `You can no longer sign in to your account with the passkey “${name ?? ''}”.`,
      whatIsLeft(isLast),
    ],
  }),
  passkey_renamed: ({ name, former }) => ({
    subject: 'A passkey was renamed',
    paragraphs: [`The passkey “${former ?? ''}” is now called “${name ?? ''}”.`],
  }),
  passkey_refused: ({ name }) => ({
    subject: 'A passkey was refused',
    paragraphs: [
      `The passkey “${name ?? ''}” was refused, because it may have been copied: its use counter is not higher than at its last use.`,
      'Remove this passkey on the Security page. If you restored its device from a backup, add the passkey again afterwards.',
    ],
  }),
}

export const factorMails = {
  factor_reset: ({ stage, when, forgotUrl }: FactorResetFacts): MailText =>
    stage === 'requested'
      ? {
          subject: 'The second factors of your account will be removed',
          heading: 'The second factors of your account will be removed',
          paragraphs: [
            `The operator of this service was told that you have lost your passkeys, your authenticator app and your recovery codes. They will all be removed after ${when}.`,
            'From then on, the password alone is enough to sign in to your account, until you set up a second factor again.',
          ],
          details: [`Takes effect: ${when}`],
          action: 'Cancel the removal',
          advice:
            'If you did not ask for this, cancel it before that time: sign in with your second factor, or press “Cancel the removal” on the Security page if you are signed in already. Then change your password (Account, General) and contact the operator of this service:',
        }
      : {
          subject: 'The second factors of your account were removed',
          heading: 'The second factors of your account were removed',
          paragraphs: [
            'The passkeys, the authenticator app and the recovery codes of your account were removed, and all devices were signed out.',
            `The password alone is now enough to sign in. Set up a second factor again. For ${RECOVERY_WAIT_HOURS} hours, you cannot show or rotate live secrets or refund payments in the portal. You also cannot create API tokens or change your email address, and some other actions are not possible.`,
          ],
          details: [`Time: ${when}`],
          action: 'Open the Security page',
          advice:
            'If you did not ask for this, request a new password at once and contact the operator of this service:',
          contacts: [{ href: forgotUrl, label: 'request a new password' }],
        },

  factor_changed: (facts: FactorFacts): MailText => {
    const { subject, paragraphs } = CHANGES[facts.change](facts)
    return {
      subject,
      heading: subject,
      paragraphs,
      details: [`Time: ${facts.when}`, `IP address: ${facts.ip}`, `Browser: ${facts.browser}`],
      // A refused passkey may have been copied, so it should be removed even if the reader was the one who used it.
      action: facts.change === 'passkey_refused' ? 'Open the Security page' : CHANGE_PASSWORD,
      advice: NOT_YOU,
      steps: toSecureSteps(),
    }
  },
}
