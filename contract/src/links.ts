import { z } from 'zod'
import { DATA_MAX_BYTES, LINK_EXP_MAX, QR_SIZE_DEFAULT, QR_SIZE_MAX, QR_SIZE_MIN } from './limits.ts'
import { amountInput, customId, mode, projectId } from './values.ts'

export const dataInput = z
  .string()
  .refine((text) => new TextEncoder().encode(text).length <= DATA_MAX_BYTES, {
    params: { code: 'too_many_bytes', max: DATA_MAX_BYTES },
  })
  .meta({
    maxLength: DATA_MAX_BYTES,
    description: `At most ${DATA_MAX_BYTES} bytes of UTF-8; comes back in the callback as it was`,
  })

const linkFields = {
  amount: amountInput,
  data: dataInput.optional(),
  customId: customId.optional(),
  mode: mode.default('live'),
}

export const newPayLinkBody = z.strictObject({
  ...linkFields,
  exp: z.int().min(1).max(LINK_EXP_MAX).optional().describe('Unix seconds; from then on the link is refused'),
})
export const newPayLinkAnswer = z.object({ url: z.string() })

/** A rule that has this function as `when` is checked even if other fields are invalid, so one response names all faults. */
const isObject = ({ value }: { value: unknown }) => typeof value === 'object' && value !== null

export const qrBody = z
  .strictObject({
    project: projectId.optional(),
    projectId: projectId.optional().describe('The same as project'),
    ...linkFields,
    signed: z.boolean().default(true),
    format: z.enum(['png', 'svg']).default('png'),
    size: z
      .int()
      .min(QR_SIZE_MIN)
      .max(QR_SIZE_MAX)
      .default(QR_SIZE_DEFAULT)
      .describe('Width and height in pixels'),
  })
  .refine(({ project, projectId: alias }) => project !== undefined || alias !== undefined, {
    path: ['project'],
    params: { code: 'required' },
    when: isObject,
  })
  .refine(
    ({ project, projectId: alias }) => project === undefined || alias === undefined || project === alias,
    { path: ['projectId'], params: { code: 'two_projects' }, when: isObject },
  )
  .transform(({ project, projectId: alias, ...rest }) => ({ ...rest, projectId: project ?? alias ?? '' }))
  .meta({ anyOf: [{ required: ['project'] }, { required: ['projectId'] }] })

export type NewPayLinkBody = z.infer<typeof newPayLinkBody>
