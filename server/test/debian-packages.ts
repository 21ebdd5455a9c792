// Programs that tests need and no npm package carries. Whoever runs the tests as root on Debian gets them by themselves.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Several test files run at once, and apt refuses a second one instead of waiting. */
const LOCK = '/var/lock/pazar-test-packages'

/** Longer than a slow mirror takes for the largest package; past it the mirror is not there. */
const INSTALL_TIMEOUT_MS = 8 * 60_000

const INSTALL = 'apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"'

export function canInstallPackages(): boolean {
  return existsSync('/usr/bin/apt-get') && process.getuid?.() === 0
}

/** Throws when the system has no such package, or no way to fetch it. */
export function installPackages(packages: readonly string[]): void {
  console.log(`installing for the tests: ${packages.join(' ')}`)
  execFileSync('flock', [LOCK, 'sh', '-c', INSTALL, 'sh', ...packages], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: INSTALL_TIMEOUT_MS,
  })
}
