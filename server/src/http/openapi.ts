// The OpenAPI 3.1 document, made from the schemas of the routes and of the callbacks.
import swagger from '@fastify/swagger'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  callbackBody,
  callbackHeaders,
  disputeCallbackBody,
  ERROR_STATUS,
  problem,
  refundCallbackBody,
} from '@pazar/contract'
import type { CallbackEventName, ErrorCode } from '@pazar/contract'
import type { Config } from '../config.ts'
import { completeResponses, markOptionalBodies, removeUnusedSchemas } from './openapi-object.ts'
import { PAGE_STATUSES } from './problem-reply.ts'

const API_VERSION = '0.1.0'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Only for the document: the query of a route that parses its query string itself. */
    describedQuery?: z.ZodObject
  }
}

const CODES_OF_EVERY_ROUTE = ['invalid_request', 'internal_error'] as const
const CODES_OF_EVERY_POST = ['forbidden_origin', 'payload_too_large', 'unsupported_media_type'] as const

const PROBLEM = { 'application/problem+json': { schema: problem } }
/** Only describes the response. The page itself is sent unchanged. */
const PAGE = { 'text/html': { schema: z.string() } }

interface DescribedResponse {
  description: string
  content: Record<string, { schema: z.ZodType }>
}

type Refusals = Record<number, DescribedResponse>

function describeErrors(codes: readonly ErrorCode[], pages: ReadonlySet<number> | 'always'): Refusals {
  const byStatus = Map.groupBy(new Set(codes), (code) => ERROR_STATUS[code])
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => {
      const content = pages === 'always' || pages.has(status) ? { ...PROBLEM, ...PAGE } : PROBLEM
      return [status, { description: list.join(', '), content }]
    }),
  )
}

export function refusals(...codes: ErrorCode[]): Refusals {
  return describeErrors(codes, PAGE_STATUSES)
}

/** The error responses of a route whose errors are pages unless the client prefers JSON. */
export function refusalsOrPages(...codes: ErrorCode[]): Refusals {
  return describeErrors(codes, 'always')
}

/** For a route that a signed-in person, or a program with that person's API token, may call. */
export function describeForMember(tag: string, summary: string) {
  return { tags: [tag], summary, security: [{ session: [] }, { token: [] }] }
}

/** For a route of `describeForMember` that every role may call. */
export function readerRefusals(...codes: ErrorCode[]): Refusals {
  return refusals('unauthenticated', 'not_found', 'rate_limited', 'unavailable', ...codes)
}

/** For a route of `describeForMember` that some roles may not call. */
export function roleRefusals(...codes: ErrorCode[]): Refusals {
  return readerRefusals('forbidden_role', ...codes)
}

export function pageOr(schema: z.ZodType): DescribedResponse {
  return {
    description: 'A page, or JSON for a program',
    content: { 'application/json': { schema }, ...PAGE },
  }
}

export function csvOr(schema: z.ZodType): DescribedResponse {
  return {
    description: 'JSON, or a CSV file',
    content: { 'application/json': { schema }, 'text/csv': { schema: z.string() } },
  }
}

export const eventStream: DescribedResponse = {
  description: 'A stream of events',
  content: { 'text/event-stream': { schema: z.string() } },
}

/** Browsers are redirected; other clients find the address in the JSON response. */
export const redirect: DescribedResponse = { description: 'To the address in `Location`', content: PAGE }

function isDescribed(value: unknown): value is DescribedResponse {
  return typeof value === 'object' && value !== null && 'description' in value && 'content' in value
}

function withCommonErrors(
  response: Readonly<Record<string, unknown>>,
  isPost: boolean,
): Record<string, unknown> {
  const codes = [...CODES_OF_EVERY_ROUTE, ...(isPost ? CODES_OF_EVERY_POST : [])]
  const success = response['200']
  const hasPage = isDescribed(success) && 'text/html' in success.content
  const common = hasPage ? refusalsOrPages(...codes) : refusals(...codes)
  const all: Record<string, unknown> = { ...common, ...response }
  for (const [status, one] of Object.entries(common)) {
    const routeResponse = response[status]
    if (!isDescribed(routeResponse)) continue
    const description = [
      ...new Set([...one.description.split(', '), ...routeResponse.description.split(', ')]),
    ]
    all[status] = { ...routeResponse, description: description.join(', ') }
  }
  return all
}

/** The id of `POST /sdk/project/add` is `postProjectAdd`. Generated clients use this name. */
function toOperationId(method: string, url: string): string {
  const names = url
    .split(/[^A-Za-z]+/)
    .filter((name) => name !== '' && !['sdk', 'portal', 'api'].includes(name))
    .map((name) => name.charAt(0).toUpperCase() + name.slice(1))
  return method.toLowerCase() + names.join('')
}

function describeRoute({
  schema = {},
  method,
  url,
  config,
}: RouteOptions): NonNullable<RouteOptions['schema']> {
  if (schema.hide) return schema
  const response = typeof schema.response === 'object' && schema.response !== null ? schema.response : {}
  // The document names the scope that the guard requires of a token.
  const security = schema.security?.map((one) =>
    'token' in one && config?.token ? { token: [config.token] } : one,
  )
  return {
    ...schema,
    operationId: toOperationId(String(method), url) + (schema.deprecated ? 'Deprecated' : ''),
    ...(security ? { security } : {}),
    ...(config?.describedQuery ? { querystring: config.describedQuery } : {}),
    response: withCommonErrors({ ...response }, method === 'POST'),
  }
}

/** Describes a request that a merchant's server receives. The request belongs to no route of ours. */
function describeCallback(event: CallbackEventName, body: z.ZodType, summary: string) {
  const headers = Object.entries(callbackHeaders.shape).map(([name, schema]) => ({
    in: 'header' as const,
    name,
    required: true,
    description: schema.description ?? '',
    schema: { type: 'string' as const },
  }))
  const schema = { $ref: `#/components/schemas/${body.meta()?.id}` }
  return {
    // No route has this tag. Generators write one file per tag. With a shared tag, the file of the callbacks and the file
    // of the routes would replace each other.
    tags: ['webhooks'],
    operationId: toOperationId('receive', event),
    summary,
    parameters: headers,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': {
        description:
          'Accepted. After any other response except 410, or none within 15 s, the callback is sent again',
      },
    },
  }
}

export async function registerOpenApi(app: FastifyInstance, config: Config): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Pazar',
        version: API_VERSION,
        description: 'Hosted checkout: projects, pay links, signed callbacks and status checks.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: config.baseUrl }],
      webhooks: {
        'payment.result': {
          post: describeCallback(
            'payment.result',
            callbackBody,
            'Sent to your server when a payment has ended',
          ),
        },
        'refund.result': {
          post: describeCallback(
            'refund.result',
            refundCallbackBody,
            'Sent to your server when a refund has ended, if the project chose this event',
          ),
        },
        'dispute.opened': {
          post: describeCallback(
            'dispute.opened',
            disputeCallbackBody,
            'Sent to your server when a dispute or an inquiry is opened, if the project chose this event',
          ),
        },
        'dispute.closed': {
          post: describeCallback(
            'dispute.closed',
            disputeCallbackBody,
            'Sent to your server when a dispute or an inquiry has ended, if the project chose this event',
          ),
        },
      },
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: config.https ? '__Host-session' : 'session' },
          token: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API token (`pat_…`), made in the portal',
          },
        },
      },
    },
    transform: (given) => jsonSchemaTransform({ ...given, schema: describeRoute(given.route) }),
    transformObject: (given) =>
      removeUnusedSchemas(completeResponses(markOptionalBodies(jsonSchemaTransformObject(given)))),
  })
}
