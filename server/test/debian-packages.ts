// Debian packages of programs that tests need. Only root installs them, and only if PAZAR_TEST_INSTALL is 1.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Test files run at the same time, and a second apt-get would fail instead of waiting. */
const LOCK = '/var/lock/pazar-test-packages'

/** Even a slow mirror needs less time than this for the largest package. */
const INSTALL_TIMEOUT_MS = 8 * 60_000

const INSTALL = 'apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"'

export function mayInstallPackages(): boolean {
  return (
    process.env['PAZAR_TEST_INSTALL'] === '1' && existsSync('/usr/bin/apt-get') && process.getuid?.() === 0
  )
}

export function toInstallCommand(packages: readonly string[]): string {
  return `apt-get install ${packages.join(' ')}`
}

export function installPackages(packages: readonly string[]): void {
  console.log(`installing for the tests: ${packages.join(' ')}`)
  execFileSync('flock', [LOCK, 'sh', '-c', INSTALL, 'sh', ...packages], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: INSTALL_TIMEOUT_MS,
  })
}
