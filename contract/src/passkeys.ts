// /portal/api passkey routes, used by the portal only. WebAuthn defines the responses of authenticators. Browsers add fields
// to them, which are ignored.
import { z } from 'zod'
import { PASSKEY_NAME_MAX } from './limits.ts'
import { time, visibleName } from './values.ts'

/** Base64url; the maximum is more than any authenticator sends. */
const encoded = z
  .string()
  .max(16_384)
  .regex(/^[A-Za-z0-9_-]*$/)

/** 1364 is the longest id that WebAuthn allows: 1023 bytes in base64url. */
const credential = {
  id: encoded.min(1).max(1364),
  rawId: encoded.min(1).max(1364),
  type: z.literal('public-key'),
}

/** The results of extensions are dropped. The field stays, because the library that verifies the response requires it. */
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
        // This is only a hint for the browser, and new kinds may appear.
        .catch([]),
    }),
  })
  .transform(withoutExtensions)

/** The options for the browser's passkey API. */
export const passkeyOptions = z.looseObject({ challenge: z.string() })
export const assertionBody = z.strictObject({ response: assertion })
export const newPasskeyBody = z.strictObject({
  name: visibleName(PASSKEY_NAME_MAX),
  response: attestation,
})
export const renamePasskeyBody = z.strictObject({ id: z.uuid(), name: visibleName(PASSKEY_NAME_MAX) })
export const revokePasskeyBody = z.strictObject({ id: z.uuid() })

export const passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: time,
  lastUsedAt: time.nullable(),
})
/** `available` is false where BASE_URL is an IP address. */
export const passkeyList = z.object({ available: z.boolean(), passkeys: z.array(passkey) })
export const newPasskeyAnswer = z.object({ passkey, recoveryCodes: z.array(z.string()).nullable() })

export type PasskeyView = z.infer<typeof passkey>
export type PasskeyAssertion = z.infer<typeof assertion>
export type PasskeyAttestation = z.infer<typeof attestation>
