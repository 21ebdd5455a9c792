// How large a callback can be at most. In a file of its own, since the check and the adapters are bundled apart and both
// refuse by it.

// The longest honest body has about 31 KiB: the facts once plain and once inside the hash.
export const BODY_BYTES_MAX = 64 * 1024
// data has at most 2 KiB, which JSON writes as up to 12 KiB (a control character takes six), and base64url adds a third:
// the longest honest hash has about 17.5 KiB.
export const HASH_BYTES_MAX = 24 * 1024
// The body is flat today; the rest is room for fields to come.
export const CALLBACK_DEPTH_MAX = 8
