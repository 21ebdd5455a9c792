import { PASSWORD_MIN } from '@pazar/contract/limits'
export const entry = {
  email: 'Email',
  password: 'Password',
  newPassword: 'New password',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  passwordHint: `At least ${PASSWORD_MIN} characters. A few words in a row are easy to remember and hard to guess.`,
  signIn: {
    title: 'Sign in',
    submit: 'Sign in',
    passkey: 'Sign in with a passkey',
    forgot: 'Forgot password?',
    noAccount: 'No account yet?',
    create: 'Create account',
  },
  signUp: {
    title: 'Create account',
    text: 'You can try everything in test mode right away. No real money is involved until you go live.',
    submit: 'Create account',
    haveAccount: 'Already have an account?',
    toSignIn: 'Sign in',
    closed: 'Sign-up is currently closed.',
  },
  forgot: {
    title: 'Forgot password',
    text: 'Enter the email address of your account and we will send you a link to choose a new password.',
    submit: 'Send link',
    sentTitle: 'Check your email',
    sentText: (email: string) =>
      `If ${email} has an account, we sent a link to this address. The link works once and expires after one hour.`,
    notArrived: 'No email after a few minutes? Look in your spam folder, or send the link again.',
    otherEmail: 'Send again or use another address',
    back: 'Back to sign-in',
  },
  reset: {
    title: 'Choose a new password',
    tokensWarning:
      'A new password signs you out everywhere and revokes all API tokens. Programs that use them lose access.',
    submit: 'Save password',
    doneTitle: 'Your password was changed',
    doneText: 'Sign in with it. If your programs used API tokens, create new ones.',
    overText:
      'It was already used or has expired. If you chose a new password, try to sign in with it. Otherwise request a new link.',
    noTokenTitle: 'This link is incomplete',
    noToken: 'Open it from the email again, or request a new one.',
    askAgain: 'Request a new link',
  },
  confirmEmail: {
    title: 'Confirm your email address',
    working: 'Confirming your email address…',
    doneTitle: 'Your email address is confirmed',
    overTitle: 'This link no longer works',
    overText:
      'It was already used or has expired. If your address is confirmed, there is nothing left to do. Otherwise request a new link on your account page.',
    toAccount: 'Go to your account',
    goOn: 'Go to projects',
  },
}
