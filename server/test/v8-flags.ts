// V8 flags of the test processes and of the services that they start. More room for new objects saves a tenth of a run's
// processor time, and garbage collection with one thread saves a sixth.
const YOUNG_MIB = 64

export const SERVICE_FLAGS = [
  `--min-semi-space-size=${YOUNG_MIB}`,
  `--max-semi-space-size=${YOUNG_MIB}`,
  '--single-threaded-gc',
]

/**
 * Without `--liftoff-only`, V8 needs more time to optimize undici's HTTP parser than a test process spends in the parser.
 * Services do not get this flag, because the flag makes Node compile its own modules again at every start.
 */
export const TEST_FLAGS = [...SERVICE_FLAGS, '--liftoff-only']
