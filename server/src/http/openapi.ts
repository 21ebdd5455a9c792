// OpenAPI 3.1 from the very schemas that validate, so the document cannot promise what the service does not do. What this
// ground answers by itself, whatever the route, is added here once.
import swagger from '@fastify/swagger'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { callbackBody, callbackHeaders, ERROR_STATUS, problem } from '@pazar/contract'
import type { ErrorCode } from '@pazar/contract'
import type { Config } from '../config.ts'
import { keepUsedSchemas, relaxEmptyBodies } from './openapi-object.ts'
import { PAGE_STATUSES } from './problem-reply.ts'

export const API_VERSION = '0.1.0'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For the document alone: the query of a route that reads it by itself, exactly as it was written. */
    describedQuery?: z.ZodObject
  }
}

/** A bad address or query, and a fault of ours. */
const FROM_EVERY_ROUTE = ['invalid_request', 'internal_error'] as const
const FROM_EVERY_POST = ['forbidden_origin', 'payload_too_large', 'unsupported_media_type'] as const

const PROBLEM = { 'application/problem+json': { schema: problem } }
/** Text passes unchanged; the schema only describes it. */
const PAGE = { 'text/html': { schema: z.string() } }

interface Described {
  description: string
  content: Record<string, { schema: z.ZodType }>
}

type Refusals = Record<number, Described>

function describe(codes: readonly ErrorCode[], pages: ReadonlySet<number> | 'always'): Refusals {
  const byStatus = Map.groupBy(new Set(codes), (code) => ERROR_STATUS[code])
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => {
      const content = pages === 'always' || pages.has(status) ? { ...PROBLEM, ...PAGE } : PROBLEM
      return [status, { description: list.join(', '), content }]
    }),
  )
}

/** The refusals a route can give, for its `response` schema. */
export function refusals(...codes: ErrorCode[]): Refusals {
  return describe(codes, PAGE_STATUSES)
}

/** The same for routes whose refusals are pages unless the client prefers JSON. */
export function refusalsOrPages(...codes: ErrorCode[]): Refusals {
  return describe(codes, 'always')
}

/** For a route that a project's owner may call, and a program with an API token of theirs. */
export function describeForOwner(tag: string, summary: string) {
  return { tags: [tag], summary, security: [{ session: [] }, { token: [] }] }
}

/** What such a route can always refuse, and what else this one does. */
export function ownerRefusals(...codes: ErrorCode[]): Refusals {
  return refusals('unauthenticated', 'not_found', 'rate_limited', 'unavailable', ...codes)
}

/** A page, or for programs this JSON. */
export function pageOr(schema: z.ZodType): Described {
  return {
    description: 'A page, or JSON for a program',
    content: { 'application/json': { schema }, ...PAGE },
  }
}

/** It does not end by itself; each event is one callback. */
export const eventStream: Described = {
  description: 'A stream of events',
  content: { 'text/event-stream': { schema: z.string() } },
}

/** For browsers alone; programs find the address in the JSON answer. */
export const redirect: Described = { description: 'To the address in `Location`', content: PAGE }

function isDescribed(value: unknown): value is Described {
  return typeof value === 'object' && value !== null && 'description' in value && 'content' in value
}

/** The route's own responses and those that every route can give. */
function withGround(response: Readonly<Record<string, unknown>>, isPost: boolean): Record<string, unknown> {
  const codes = [...FROM_EVERY_ROUTE, ...(isPost ? FROM_EVERY_POST : [])]
  const good = response['200']
  const isPaged = isDescribed(good) && 'text/html' in good.content
  const common = isPaged ? refusalsOrPages(...codes) : refusals(...codes)
  const all: Record<string, unknown> = { ...common, ...response }
  for (const [status, one] of Object.entries(common)) {
    const own = response[status]
    if (!isDescribed(own)) continue
    const description = [...new Set([...one.description.split(', '), ...own.description.split(', ')])]
    all[status] = { ...own, description: description.join(', ') }
  }
  return all
}

function toDescribed({ schema = {}, method, config }: RouteOptions): NonNullable<RouteOptions['schema']> {
  if (schema.hide) return schema
  const response = typeof schema.response === 'object' && schema.response !== null ? schema.response : {}
  // The scope that the guard will ask of a token.
  const security = schema.security?.map((one) =>
    'token' in one && config?.token ? { token: [config.token] } : one,
  )
  return {
    ...schema,
    ...(security ? { security } : {}),
    ...(config?.describedQuery ? { querystring: config.describedQuery } : {}),
    response: withGround({ ...response }, method === 'POST'),
  }
}

/** What a merchant's server receives. No route of ours takes it, so nothing else would describe it. */
function describeCallback() {
  const headers = Object.entries(callbackHeaders.shape).map(([name, schema]) => ({
    in: 'header' as const,
    name,
    required: true,
    description: schema.description ?? '',
    schema: { type: 'string' as const },
  }))
  const schema = { $ref: `#/components/schemas/${callbackBody.meta()?.id}` }
  return {
    tags: ['callbacks'],
    summary: 'What your server is sent when a payment has ended',
    parameters: headers,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Accepted; anything else, and no answer within 15 s, is tried again' },
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
      webhooks: { 'payment.result': { post: describeCallback() } },
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
    transform: (given) => jsonSchemaTransform({ ...given, schema: toDescribed(given.route) }),
    transformObject: (given) => keepUsedSchemas(relaxEmptyBodies(jsonSchemaTransformObject(given))),
  })
}
