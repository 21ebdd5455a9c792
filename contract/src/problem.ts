import { z } from 'zod'
import { ERROR_CODES } from './errors.ts'

const fieldProblem = z.object({
  path: z.string().describe('Where in the request: a field name, or names joined by dots'),
  code: z.string(),
  message: z.string(),
})

/** RFC 9457. `code` is for programs, `title` and `detail` are in the caller's language. */
export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(ERROR_CODES),
    requestId: z.string(),
    errors: z.array(fieldProblem).optional(),
    next: z.string().optional().describe('With `cursor_expired`: the cursor to continue from'),
  })
  .meta({ id: 'Problem' })

export type Problem = z.infer<typeof problem>
