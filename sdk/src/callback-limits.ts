// The largest callback that is accepted. A separate file, because the verifier and the adapters are bundled apart.

// The longest valid body has about 31 KiB: the facts once plain and once inside the hash.
export const BODY_BYTES_MAX = 64 * 1024
// data has at most 2 KiB, which JSON writes as up to 12 KiB (a control character takes six), and base64url adds a third:
// the longest valid hash has about 17.5 KiB.
export const HASH_BYTES_MAX = 24 * 1024
// The body is flat today; the rest is for future fields.
export const CALLBACK_DEPTH_MAX = 8
