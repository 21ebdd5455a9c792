import { facts } from '../../app/facts.ts'

/** The merchant's own question, ready to paste; the secret stays where it is. */
export function toSample(projectId: string, customId: string): string {
  return `import { signStatusHash } from '@pazar/sdk'

const projectId = '${projectId}'
const customId = ${JSON.stringify(customId)}
const hash = signStatusHash({ projectId, customId }, process.env.PAZAR_LIVE_SECRET)

const answer = await fetch('${facts.baseUrl}/sdk/transaction/checkStatus', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ projectId, customId, hash }),
})
const { successful } = await answer.json()
`
}
