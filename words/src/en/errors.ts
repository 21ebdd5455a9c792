// One text per error code of the contract.
import { PROJECTS_PER_ACCOUNT_MAX } from '@pazar/contract/limits'
import type { ErrorCode } from '@pazar/contract'

export interface ErrorText {
  title: string
  detail: string
}

export const errors = {
  invalid_request: {
    title: 'The request is not valid',
    detail: 'Correct it and send it again. If particular fields are wrong, “errors” lists them.',
  },
  invalid_signature: {
    title: 'The pay link is not valid',
    detail: 'Its signature is missing or does not match. Ask the merchant for a new link.',
  },
  unauthenticated: {
    title: 'Sign in to continue',
    detail: 'The session has expired, or the request has no valid API token.',
  },
  invalid_credentials: {
    title: 'Wrong email or password',
    detail: 'Check both and try again.',
  },
  invalid_hash: {
    title: 'The hash is not valid',
    detail: 'Check the project ID, the secret and the signed fields.',
  },
  payment_failed: {
    title: 'The payment did not go through',
    detail:
      'This attempt was not charged. You can try again, unless your bank shows a charge: then contact the merchant.',
  },
  forbidden_origin: {
    title: 'The request came from another site',
    detail: 'Open this page at its own address and try again.',
  },
  forbidden_role: {
    title: 'Your role does not allow this',
    detail:
      'You are a member of this project. Ask the owner, or an admin with that right, to do it or to change your role.',
  },
  shop_not_ready: {
    title: 'This project cannot take live payments yet',
    detail:
      'Its callbacks go to the inbox. Enter your server’s callback URL in the settings. Test mode works.',
  },
  step_up_required: {
    title: 'Confirm it is you',
    detail:
      'To continue, confirm it is you in the portal, with your password, a passkey or a code from your app.',
  },
  kyc_required: {
    title: 'Identity check needed',
    detail:
      'For live mode, the owner of a project needs a verified identity. A new owner needs one before taking over the project. Test mode keeps working. Contact the operator of this service.',
  },
  sign_up_closed: {
    title: 'Sign-up is closed',
    detail:
      'The operator of this service approves new accounts, and also decides whether an account opened by invitation may have its own projects. Contact the operator.',
  },
  not_found: {
    title: 'Not found',
    detail: 'It does not exist, or you have no access to it.',
  },
  method_not_allowed: {
    title: 'This method is not supported here',
    detail: 'The Allow header lists the supported methods.',
  },
  too_many: {
    title: `You have reached the limit of ${PROJECTS_PER_ACCOUNT_MAX} projects`,
    detail: 'Archive a project you no longer need, then try again.',
  },
  custom_id_conflict: {
    title: 'This customId belongs to another payment',
    detail:
      'It was already used with a different amount or description (data). First check whether that payment went through. If this is another order, use a new customId.',
  },
  already_delivered: {
    title: 'Already delivered',
    detail:
      'Your server accepted this callback, or it was forwarded to the CLI or stored in the inbox. To send it again, confirm with “again: true”.',
  },
  not_refundable: {
    title: 'This payment cannot be refunded',
    detail: 'The message at the field says why.',
  },
  refund_exceeds: {
    title: 'This is more than can be refunded',
    detail: 'Refund at most what can still be refunded of the payment.',
  },
  idempotency_conflict: {
    title: 'This idempotencyKey was used for another refund',
    detail: 'Use a new idempotencyKey for each refund; repeat a request only with exactly the same values.',
  },
  email_taken: {
    title: 'There is already an account with this email',
    detail: 'Sign in, or request a new password.',
  },
  link_expired: {
    title: 'The pay link has expired',
    detail:
      'This attempt was not charged. Ask the merchant for a new link. If you pressed “Pay” before, first ask the merchant whether that payment went through.',
  },
  token_expired: {
    title: 'This link or page is no longer valid',
    detail: 'Open the page again, or ask for a new link.',
  },
  archived: {
    title: 'The project is archived',
    detail: 'An archived project accepts no payments and cannot be transferred. Its owner can restore it.',
  },
  cursor_expired: {
    title: 'This cursor is no longer valid',
    detail:
      'The service was restored from a backup. Continue with the cursor in “next”, and skip events whose ID you already have.',
  },
  payload_too_large: {
    title: 'The request is too large',
    detail: 'Make it shorter and send it again.',
  },
  unsupported_media_type: {
    title: 'This content type is not supported',
    detail: 'Send JSON with the header Content-Type: application/json.',
  },
  invalid_url: {
    title: 'Invalid URL',
    detail: 'The message at the field says what to correct.',
  },
  locked_out: {
    title: 'Too many attempts',
    detail: 'Wait a while, then try again.',
  },
  rate_limited: {
    title: 'Too many requests',
    detail: 'Wait a moment, then try again.',
  },
  internal_error: {
    title: 'Something went wrong on our side',
    detail:
      'Try again. If it happens again, contact the operator of this service and give them the request reference.',
  },
  upstream_error: {
    title: 'The bank did not respond',
    detail: 'Before you try again, check whether the previous attempt went through.',
  },
  unavailable: {
    title: 'The service is not available right now',
    detail: 'Try again in a moment.',
  },
} satisfies Record<ErrorCode, ErrorText>
