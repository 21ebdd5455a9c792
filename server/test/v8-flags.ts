// Flags of the test processes and of the services they start. V8 begins with a megabyte for young objects and collects them
// over and over while a program loads; with room for all of them, a run takes a tenth less processor time. It also collects
// with several threads, which on two busy cores mostly wait for each other: one thread takes a sixth less. The flags are
// the same everywhere, because V8 shares compiled code only between processes with equal flags.
const YOUNG_MIB = 64

export const V8_FLAGS = [
  `--min-semi-space-size=${YOUNG_MIB}`,
  `--max-semi-space-size=${YOUNG_MIB}`,
  '--single-threaded-gc',
]
