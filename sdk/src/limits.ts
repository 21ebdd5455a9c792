// The numbers that the SDK enforces. It is installed without the contract package, so the limits of pay links are repeated
// here, and sdk/test/contract-limits.test.ts compares them. This file imports nothing, because the verifier and the adapters
// are bundled separately.

// The service has the same limits, so that a pay link still fits in a QR code.
export const DATA_BYTES_MAX = 2048
export const CUSTOM_ID_POINTS_MAX = 128

// The longest valid body of a callback has about 31 KiB, because it contains the facts twice: plain and inside the hash.
export const BODY_BYTES_MAX = 64 * 1024
// data has at most 2 KiB, which JSON writes as up to 12 KiB (a control character takes six bytes), and base64url adds a
// third. So the longest valid hash of a callback has about 17.5 KiB.
export const HASH_BYTES_MAX = 24 * 1024
// The body of a callback is flat today. The other levels are for future fields.
export const CALLBACK_DEPTH_MAX = 8

// A status hash contains two ids and an amount, under 1 KiB. The rest is for registered claims. Longer tokens are refused
// before an HMAC is computed.
export const JWT_BYTES_MAX = 4 * 1024
// How far the merchant's clock and ours may differ when `exp` and `nbf` of a hash are checked.
export const CLOCK_SKEW_SEC = 60

// How far a callback's `webhook-timestamp` may be from the present time. Long enough for a slow network and small clock
// differences, short enough that a recorded request soon expires. The same as in the reference libraries.
export const WEBHOOK_TOLERANCE_SEC = 300
