// V8 flags of the test processes and of the services that they start. By default V8 has a megabyte for new objects and
// collects garbage many times while a program loads; with more room a run takes a tenth less processor time. V8 also uses
// several threads to collect garbage, which on two busy cores mostly wait for each other; one thread takes a sixth
// less. The flags are the same everywhere, because V8 shares compiled code only between processes with equal flags.
const YOUNG_MIB = 64

export const V8_FLAGS = [
  `--min-semi-space-size=${YOUNG_MIB}`,
  `--max-semi-space-size=${YOUNG_MIB}`,
  '--single-threaded-gc',
]
