// V8 flags of the test processes and of the services that they start. By default V8 has a megabyte for new objects, and
// collects garbage many times while a program loads. With more room a run takes a tenth less processor time. V8 also
// collects garbage with several threads, which mostly wait for each other on two busy cores. With one thread a run takes a
// sixth less. Each process that sends requests would also optimize the WebAssembly of undici's HTTP parser in the
// background, for longer than it uses it. The flags are the same everywhere, because V8 shares compiled code only between
// processes with equal flags.
const YOUNG_MIB = 64

export const V8_FLAGS = [
  `--min-semi-space-size=${YOUNG_MIB}`,
  `--max-semi-space-size=${YOUNG_MIB}`,
  '--single-threaded-gc',
  '--liftoff-only',
]
