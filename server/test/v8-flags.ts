// V8 flags of the test processes and of the services that they start. By default V8 has a megabyte for new objects, and
// collects garbage many times while a program loads. With more room a run takes a tenth less processor time. V8 also
// collects garbage with several threads, which mostly wait for each other on two busy cores. With one thread a run takes a
// sixth less.
const YOUNG_MIB = 64

export const SERVICE_FLAGS = [
  `--min-semi-space-size=${YOUNG_MIB}`,
  `--max-semi-space-size=${YOUNG_MIB}`,
  '--single-threaded-gc',
]

/**
 * A test process sends many requests. Without this flag, V8 would optimize the WebAssembly of undici's HTTP parser in the
 * background, and that takes longer than the process uses the parser. Services do not get the flag: with it, Node rejects
 * the compiled code of its own modules and compiles a hundred of them. That makes a start a seventh slower, and a run
 * starts more than a hundred services.
 */
export const TEST_FLAGS = [...SERVICE_FLAGS, '--liftoff-only']
