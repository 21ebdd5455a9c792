// Programs that tests need and no npm package has. They are installed only on request, as .ci/run does:
// a test run leaves the machine as it was.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Several test files run at once, and a second apt-get fails instead of waiting. */
const LOCK = '/var/lock/pazar-test-packages'

/** Longer than a slow mirror takes for the largest package; after that it counts as unreachable. */
const INSTALL_TIMEOUT_MS = 8 * 60_000

const INSTALL = 'apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"'

/** Requested with PAZAR_TEST_INSTALL=1 and possible: root on Debian. */
export function mayInstallPackages(): boolean {
  return (
    process.env['PAZAR_TEST_INSTALL'] === '1' && existsSync('/usr/bin/apt-get') && process.getuid?.() === 0
  )
}

/** The command with which a person installs them. */
export function toInstallCommand(packages: readonly string[]): string {
  return `apt-get install ${packages.join(' ')}`
}

/** Throws when the system does not have the package or cannot download it. */
export function installPackages(packages: readonly string[]): void {
  console.log(`installing for the tests: ${packages.join(' ')}`)
  execFileSync('flock', [LOCK, 'sh', '-c', INSTALL, 'sh', ...packages], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: INSTALL_TIMEOUT_MS,
  })
}
