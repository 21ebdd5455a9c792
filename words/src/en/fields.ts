// What is wrong with one field. Clients receive the keys, so no key may change.
import { AMOUNT_DIGITS_MAX, RECOVERY_WAIT_HOURS } from '@pazar/contract/limits'
import { formatNumber } from '../format.ts'
import { plural } from '../plural.ts'

const counted = (n: number, one: string, other: string) =>
  `${formatNumber('en', n)} ${plural('en', n, { one, other })}`

const characters = (n: number) => counted(n, 'character', 'characters')

export const fields = {
  invalid: 'This value is not valid.',
  required: 'This field is required.',
  unknown_field: 'Unknown field.',
  wrong_type: 'This value is of the wrong type.',
  not_one_of: ({ values }: { values: string }) => `Use one of: ${values}.`,
  too_short: ({ min }: { min: number }) => `Enter at least ${characters(min)}.`,
  too_long: ({ max }: { max: number }) => `Enter at most ${characters(max)}.`,
  too_many_bytes: ({ max }: { max: number }) => `Use at most ${counted(max, 'byte', 'bytes')}.`,
  out_of_range: ({ min, max }: { min: number; max: number }) =>
    `Enter a number from ${formatNumber('en', min)} to ${formatNumber('en', max)}.`,
  too_small: ({ min }: { min: number }) => `Enter ${formatNumber('en', min)} or more.`,
  too_large: ({ max }: { max: number }) => `Enter ${formatNumber('en', max)} or less.`,
  amount: `Enter the amount as a whole number of the currency’s smallest unit, with at most ${AMOUNT_DIGITS_MAX} digits.`,
  invalid_email: 'Enter a valid email address.',
  password_too_common: 'This password is easy to guess. Choose another one.',
  invalid_time: 'Enter the time as ISO 8601, for example 2026-07-26T15:04:05.000Z.',
  time_passed: 'Enter a time in the future, in Unix seconds.',
  ends_before_it_begins: 'The end is before the start.',
  range_too_long: ({ max }: { max: number }) =>
    `The period can be at most ${counted(max, 'day', 'days')} long.`,
  month: 'Enter the year and the month, for example 2026-11.',
  invalid_time_zone: 'Enter the name of a time zone, for example Europe/Podgorica.',

  url_malformed: 'Enter the whole address, starting with https://.',
  url_scheme: 'Only a public https address is allowed.',
  url_private_address: 'Only a public https address is allowed, and this one leads into a private network.',
  url_host_characters: 'A host name can contain only letters, digits, dots, hyphens and underscores.',
  url_host_name: 'Only a public https address is allowed, and this host name is not public.',
  url_own_machine:
    'This address is on your own machine or network. Enter a public https address; test callbacks reach your machine through the listen command.',
  url_own_machine_page:
    'This address is on your own machine or network and cannot be saved here. To test how payers return to this address, create a new project with it.',
  url_inbox:
    'This is not the inbox of this project. Use the address that the settings show, or your server’s public https address.',
  url_inbox_queued:
    'Results of live payments are still waiting to be delivered. You can use the inbox once they have reached your server or we have stopped sending them.',
  exam_without_server:
    'This project has no server yet: its callbacks go to the inbox. Set a test callback URL, or run the exam from your own machine.',
  url_port:
    'This port is not allowed. Use 443, or a port from 1024 up that databases, mail or similar services do not use.',
  url_userinfo: 'Remove the user name and password from the address.',
  url_fragment: 'Remove the part of the address from the # sign on.',
  url_whitespace: 'Remove spaces and line breaks from the address.',
  url_too_long: 'The address is too long.',

  invisible_characters: 'Remove control and invisible characters.',
  outer_spaces: 'Remove the spaces at the beginning and the end.',
  invalid_text: 'The text has characters that cannot be saved.',
  not_utf8: 'The text is not valid UTF-8.',
  malformed: 'The body is not valid JSON.',
  duplicate_key: 'This field is given more than once.',
  forbidden_key: 'This field name is not allowed.',
  too_deep: 'The JSON has too many levels.',
  duplicate_parameter: 'This parameter is given more than once.',
  malformed_encoding: 'The address has incorrectly encoded characters.',

  token_and_session: 'Send either the API token or the session cookie, not both.',
  id_or_custom_id: 'Give either transactionId or customId, not both.',
  not_forwarded: 'This callback was not forwarded to your CLI in test mode.',
  already_reported: 'A response to this callback was already reported; the first report counts.',
  event_not_chosen: 'The project does not receive this event. Add it to the field events first.',
  cursor:
    'This cursor is not from the list of this project. Send “next” of the last page that you received, or send no cursor.',
  token_scope:
    'The permission of this API token does not allow this. Use a token with the permission that this route needs.',
  token_project: 'This API token is limited to one project, so it cannot create another.',
  refund_scope_only: 'Only a token with the permission “refund” has a daily limit.',
  wrong_code: 'This code is not right. Enter the one that the app shows now.',
  passkey_refused: 'This passkey could not be added. Try again, or use another device.',
  password_first:
    'The password was reset by email. Sign in once with the new password and this passkey; after that, the passkey works without the password again.',
  too_many_passkeys: 'You have reached the limit of passkeys for an account. Remove one you no longer need.',
  password_or_code: 'Give either the password or a code, not both.',
  recovery_only:
    'A recovery code is enough to change your passkeys, app and codes, but not for this. Confirm in another way that it is you.',
  recovery_wait: `A recovery code was used or your second factors were removed recently. For your safety, this is not possible until ${RECOVERY_WAIT_HOURS} hours after that.`,
  token_not_here: 'This route does not accept API tokens. Sign in to the portal and do it there.',
  too_many_tokens: 'You have reached the limit of API tokens for an account. Revoke one you no longer need.',

  low_contrast: 'This colour is too light to be seen on a white page. Choose a darker one.',
  logo_unknown_format: 'Choose a PNG, JPEG or WebP picture.',
  logo_truncated: 'The picture is incomplete. Save it again and retry.',
  logo_damaged: 'The picture cannot be read. Save it again as PNG and retry.',
  logo_too_large: 'Use at most 100 KB and 1024 × 1024 pixels.',
  logo_animated: 'Choose a picture without animation.',
  payment_result_required: 'payment.result cannot be removed: it tells your server that an order is paid.',
  refund_not_paid:
    'Only a successful payment can be refunded. This one did not succeed or is still in progress.',
  refund_in_review:
    'This payment is being checked manually. It can be refunded only once it is confirmed as paid.',
  refund_disputed: 'The rest of this payment is disputed, so it cannot be refunded.',
  refund_not_offered: 'This payment cannot be refunded here. Contact the operator of this service.',
  refund_left: ({ left }: { left: string }) => `At most ${left} can still be refunded.`,
  refund_daily_cap: ({ left }: { left: string }) =>
    `At most ${left} more can be refunded with this API token today (UTC).`,
  key_used: 'This idempotencyKey was used for another refund. Use a new one for each refund.',

  confirm_live_url:
    'The exam’s requests would go to your live callback URL. Send confirm: true to allow it, or set a test callback URL.',
  overtaken: 'Another result counts for this order, so this callback is not sent any more.',
  payments_open: 'A payment is still in progress or in review. Try again when all payments are complete.',
  callbacks_queued:
    'Callbacks are still waiting to be delivered. Try again when they have been delivered or we have stopped sending them.',
  has_live_payments: 'This project has live payments, which must be kept. It can be archived, not deleted.',
  no_next_secret: 'No secret is prepared, or it has expired or was discarded. Prepare one first.',
  own_membership: 'This is you. You cannot invite or remove yourself, or change your own role.',
  owner_stays: 'The owner cannot leave the project. Transfer or archive it instead.',
  own_project: 'The project is yours already. Choose another person.',
  not_a_member: 'This person is not a member of the project. Invite them first.',
  transfer_pending:
    'A transfer of this project is open. Cancel it before you offer the project to another person.',
  no_transfer:
    'There is no open transfer of this project for you. It may have been cancelled or have expired.',
  email_unconfirmed: 'Confirm your email address first, with the link that we sent to it.',
  owner_gets_all: 'The owner gets all emails about a project.',
  already_member: 'This person is already a member of the project. You can change their role.',
  too_many_members: 'The project has reached its limit of members. Remove one, or withdraw an invitation.',
  invitation_of_other:
    'This invitation was sent to another address. Sign in with the account of that address.',
  too_many_shared: 'You have reached the limit of shared projects. Leave one, then accept the invitation.',
  email_differs: 'This is not the email address of your account.',
  erased:
    'The content of this callback was erased at the end of its retention period, so it can no longer be sent.',
  two_projects: 'The fields project and projectId name two different projects.',
  signature_required: 'This link must be signed.',
  package_not_packed:
    'This file has not been built on this installation. The operator builds it with “npm run packages”.',
  qr_too_long:
    'The pay link is too long for a QR code. Shorten the description (data) or the order ID (customId).',
}
