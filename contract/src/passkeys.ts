// /portal/api passkey routes. Browsers add fields to the responses of authenticators, so unknown fields are ignored.
import { z } from 'zod'
import { PASSKEY_NAME_MAX } from './limits.ts'
import { time, visibleName } from './values.ts'

/** Base64url. Authenticators send less than the maximum. */
const encoded = z
  .string()
  .max(16_384)
  .regex(/^[A-Za-z0-9_-]*$/)

/** WebAuthn allows ids of 1023 bytes, which are 1364 characters in base64url. */
const credential = {
  id: encoded.min(1).max(1364),
  rawId: encoded.min(1).max(1364),
  type: z.literal('public-key'),
}

/** The library that verifies the response requires `clientExtensionResults`. */
const withoutExtensions = <T extends object>(value: T) => ({ ...value, clientExtensionResults: {} })

const assertion = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: encoded.min(1),
      authenticatorData: encoded.min(1),
      signature: encoded.min(1),
    }),
  })
  .transform(withoutExtensions)

const attestation = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: encoded.min(1),
      attestationObject: encoded.min(1),
      transports: z
        .array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']))
        .max(7)
        // With an unknown transport, the list is left empty: it is only a hint, and browsers may add new transports.
        .catch([]),
    }),
  })
  .transform(withoutExtensions)

export const passkeyOptions = z.looseObject({ challenge: z.string() })
export const assertionBody = z.strictObject({ response: assertion })
export const newPasskeyBody = z.strictObject({
  name: visibleName(PASSKEY_NAME_MAX),
  response: attestation,
})
export const renamePasskeyBody = z.strictObject({ id: z.uuid(), name: visibleName(PASSKEY_NAME_MAX) })
export const revokePasskeyBody = z.strictObject({ id: z.uuid() })

const passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: time,
  lastUsedAt: time.nullable(),
})
/** `available` is false if BASE_URL is an IP address. */
export const passkeyList = z.object({ available: z.boolean(), passkeys: z.array(passkey) })
export const newPasskeyAnswer = z.object({ passkey, recoveryCodes: z.array(z.string()).nullable() })

export type PasskeyView = z.infer<typeof passkey>
export type PasskeyAssertion = z.infer<typeof assertion>
export type PasskeyAttestation = z.infer<typeof attestation>
