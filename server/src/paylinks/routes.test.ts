import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { verifyPayLinkSig } from '@pazar/sdk'
import type { Mode } from '@pazar/sdk'
import { Client, signUp } from '../../test/client.ts'
import { startTestService } from '../../test/harness.ts'
import { drawSvg, readQr, unpackPng } from '../../test/qr-reader.ts'
import { findRefusedRoles } from '../../test/roles.ts'
import { countRows } from '../../test/rows.ts'
import { readSecret } from '../secrets/secrets.ts'

const QR_PATH = '/sdk/project/qr'
const BASE_URL = 'https://pay.example.me'

const service = await startTestService({ BASE_URL })
const { app, deps } = service
let owner: Client
let ownProjectId: string

before(async () => {
  owner = await signUp(app)
  ownProjectId = (await owner.addProject()).id
})

async function draw(body: object, headers: Record<string, string> = {}): Promise<Buffer> {
  const cookie = [...owner.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await app.inject({
    method: 'POST',
    url: QR_PATH,
    headers: { 'content-type': 'application/json', cookie, ...headers },
    payload: { project: ownProjectId, amount: 1500, ...body },
  })
  assert.equal(response.statusCode, 200, response.payload)
  assert.match(String(response.headers['content-type']), /^image\/(png|svg\+xml)/)
  assert.equal(response.headers['cache-control'], 'no-store')
  return response.rawPayload
}

async function isSigned(link: string, mode: Mode): Promise<boolean> {
  const query = new URL(link).searchParams
  const fields = {
    amount: query.get('amount')!,
    project: query.get('project')!,
    data: query.get('data')!,
    customId: query.get('customId') ?? undefined,
    mode,
  }
  return verifyPayLinkSig(fields, query.get('sig') ?? '', await readSecret(deps, deps.db, ownProjectId, mode))
}

test('the image is a PNG of 1024 pixels whose text is the signed pay link', async () => {
  const picture = unpackPng(await draw({ data: 'Narudžba 7', customId: 'order-7' }))
  assert.equal(picture.width, 1024)
  const link = readQr(picture)
  const sig = new URL(link).searchParams.get('sig')
  assert.equal(
    link,
    `${BASE_URL}/pay?amount=1500&project=${ownProjectId}&data=Narud%C5%BEba%207&customId=order-7&sig=${sig}`,
  )
  assert.equal(await isSigned(link, 'live'), true)
})

test('the link in the image opens the pay page', async () => {
  const link = readQr(unpackPng(await draw({ customId: 'order-8', size: 300 })))
  const page = await new Client(app).get(link.slice(BASE_URL.length))
  assert.equal(page.status, 200)
})

test('the SVG has the same link as the PNG', async () => {
  const [png, svg] = [await draw({ customId: 'a' }), await draw({ customId: 'a', format: 'svg', size: 128 })]
  assert.equal(readQr(drawSvg(svg.toString(), 6)), readQr(unpackPng(png)))
})

test('a test link is signed with the test secret and contains mode=test', async () => {
  const link = readQr(unpackPng(await draw({ mode: 'test', size: 300 })))
  assert.match(link, /&mode=test&/)
  assert.equal(await isSigned(link, 'test'), true)
})

test('a QR code can have an unsigned link if the project does not require signatures', async () => {
  const link = readQr(unpackPng(await draw({ signed: false, size: 300 })))
  assert.equal(link, `${BASE_URL}/pay?amount=1500&project=${ownProjectId}&data=`)
})

test('no header can change the host of the link', async () => {
  const poison = {
    host: 'evil.test',
    'x-forwarded-host': 'evil.test',
    'x-forwarded-proto': 'http',
    forwarded: 'host=evil.test',
    'x-original-host': 'evil.test',
  }
  const link = readQr(unpackPng(await draw({ size: 300 }, poison)))
  assert.equal(new URL(link).origin, BASE_URL)
})

test('projectId is another name for project, and the two must not differ', async () => {
  const { id: otherProjectId } = await owner.addProject()
  const byAlias = readQr(unpackPng(await draw({ project: undefined, projectId: ownProjectId, size: 300 })))
  assert.ok(byAlias.includes(`project=${ownProjectId}`))
  const byBothNames = readQr(unpackPng(await draw({ projectId: ownProjectId, size: 300 })))
  assert.equal(byBothNames, byAlias)
  const response = await owner.post(QR_PATH, {
    project: ownProjectId,
    projectId: otherProjectId,
    amount: '1',
  })
  assert.equal(response.status, 400)
  const [error] = response.json<{ errors: { path: string; code: string }[] }>().errors
  assert.deepEqual([error!.path, error!.code], ['projectId', 'two_projects'])
  const emptyBodyResponse = await owner.post('/sdk/project/qr', {})
  assert.deepEqual(
    emptyBodyResponse
      .json<{ errors: { path: string }[] }>()
      .errors.map(({ path }) => path)
      .sort(),
    ['amount', 'project'],
  )
})

const refused: [name: string, body: object, path: string][] = [
  ['without a project', { project: undefined }, 'project'],
  ['without an amount', { amount: undefined }, 'amount'],
  ['with an amount of 0', { amount: 0 }, 'amount'],
  ['with an amount of 15.5', { amount: 15.5 }, 'amount'],
  ['with an amount of more than twelve digits', { amount: '1000000000000' }, 'amount'],
  ['with data of more than 2048 bytes', { data: 'č'.repeat(1025) }, 'data'],
  ['with data that fits into a link but not into a code', { data: 'č'.repeat(500) }, 'data'],
  ['with NUL in data', { data: 'a\u0000' }, 'data'],
  ['with an empty customId', { customId: '' }, 'customId'],
  ['with a size of 127', { size: 127 }, 'size'],
  ['with a size of 2049', { size: 2049 }, 'size'],
  ['with a size that is too small for its link', { size: 128, data: 'x'.repeat(1500) }, 'size'],
  ['as a JPEG', { format: 'jpeg' }, 'format'],
  ['with an unknown field', { host: 'evil.test' }, 'host'],
  ['without a signature in test mode', { mode: 'test', signed: false }, 'signed'],
]
for (const [name, body, path] of refused) {
  test(`a QR code ${name} is refused with 400, and the error names "${path}"`, async () => {
    const response = await owner.post(QR_PATH, { project: ownProjectId, amount: '1500', ...body })
    assert.equal(response.status, 400, response.text)
    assert.equal(response.code, 'invalid_request')
    const { errors } = response.json<{ errors: { path: string; message: string }[] }>()
    assert.deepEqual(
      errors.map((error) => error.path),
      [path],
    )
    assert.ok(errors[0]!.message.length > 10)
  })
}

test('a project that requires signatures gets no unsigned code', async () => {
  const { id } = await owner.addProject({ requireSignedLinks: true })
  const response = await owner.post(QR_PATH, { project: id, amount: '1', signed: false })
  assert.deepEqual(response.json<{ errors: { code: string }[] }>().errors[0]!.code, 'signature_required')
  assert.equal((await owner.post(QR_PATH, { project: id, amount: '1' })).status, 200)
})

test('an archived project gets no code', async () => {
  const { id } = await owner.addProject()
  await owner.stepUp()
  assert.equal((await owner.post(`/portal/api/projects/${id}/archive`)).status, 200)
  const response = await owner.post(QR_PATH, { project: id, amount: '1' })
  assert.deepEqual([response.status, response.code], [410, 'archived'])
})

test('a project of another account gets the same 404 as an unknown project', async () => {
  const stranger = await signUp(app)
  const rowsBefore = await countRows(deps.db)
  const responses = await Promise.all(
    [ownProjectId, 'abcdefghijklmnopqrstuvwx'].map((project) =>
      stranger.post(QR_PATH, { project, amount: '1' }),
    ),
  )
  const [ofOtherAccount, ofUnknown] = responses.map((response) => ({ ...response.json(), requestId: '' }))
  assert.deepEqual(ofOtherAccount, ofUnknown)
  assert.equal(responses[0]!.status, 404)
  assert.equal(
    (await new Client(app).post(QR_PATH, { project: ownProjectId, amount: '1' })).code,
    'unauthenticated',
  )
  assert.deepEqual(await countRows(deps.db), rowsBefore)
})

test('a form is refused, and so is a body above the size limit', async () => {
  const form = await owner.post(QR_PATH, 'a=b', { 'content-type': 'application/x-www-form-urlencoded' })
  assert.equal(form.code, 'unsupported_media_type')
  assert.equal((await owner.post(QR_PATH, { data: 'x'.repeat(70_000) })).code, 'payload_too_large')
})

test('only the owner and admins can get QR codes', async () => {
  const body = { project: ownProjectId, amount: 1500 }
  const refused = await findRefusedRoles(service, ownProjectId, (one) => one.post(QR_PATH, body))
  assert.equal(refused, 'developer finance support')
})
