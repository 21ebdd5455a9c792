// The SDK is installed without the contract package, so the limits of pay links are repeated here.
// sdk/test/contract-limits.test.ts compares them.
export const DATA_BYTES_MAX = 2048
export const CUSTOM_ID_POINTS_MAX = 128

// The longest valid callback body has about 31 KiB: the fields, and the same fields inside the hash.
export const BODY_BYTES_MAX = 64 * 1024
// The longest valid hash has about 17.5 KiB. JSON writes 2 KiB of data as up to 12 KiB, and base64url adds a third.
export const HASH_BYTES_MAX = 24 * 1024
// Callbacks are flat today. Deeper levels are allowed for future fields.
export const CALLBACK_DEPTH_MAX = 8

// The hash of a status check has less than 1 KiB without registered claims such as `exp`. The rest is for these claims.
export const JWT_BYTES_MAX = 4 * 1024
// The allowed clock difference for `exp` and `nbf` of a hash.
export const CLOCK_SKEW_SEC = 60

// The allowed difference of `webhook-timestamp` from the clock, as in the libraries of Standard Webhooks.
export const WEBHOOK_TOLERANCE_SEC = 300
