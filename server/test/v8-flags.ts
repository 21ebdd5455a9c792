// V8 flags of the test processes and of the services that they start. More room for new objects saves a tenth of a run's
// processor time, and garbage collection with one thread saves a sixth.
const YOUNG_MIB = 64

export const SERVICE_FLAGS = [
  `--min-semi-space-size=${YOUNG_MIB}`,
  `--max-semi-space-size=${YOUNG_MIB}`,
  '--single-threaded-gc',
]

/**
 * Without `--liftoff-only`, V8 optimizes undici's HTTP parser for longer than a test process uses the parser. Services
 * do not get this flag, because with it Node compiles its own modules again at every start.
 */
export const TEST_FLAGS = [...SERVICE_FLAGS, '--liftoff-only']
