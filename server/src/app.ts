import { registerApiTokenRoutes } from './accounts/api-tokens/portal-routes.ts'
import { registerFactorRoutes } from './accounts/factors/portal-routes.ts'
import { registerPasskeyRoutes } from './accounts/passkeys/portal-routes.ts'
import { registerAccountSettingsRoutes } from './accounts/settings/portal-routes.ts'
import { registerAccountRoutes } from './accounts/portal-routes.ts'
import { createGuards } from './accounts/guards.ts'
import { registerAssistantRoutes } from './assistant/routes.ts'
import { registerStatementRoutes } from './statements/portal-routes.ts'
import { registerDeliveryPortalRoutes } from './deliveries/portal-routes.ts'
import { registerStreamPortalRoutes } from './streams/portal-routes.ts'
import { registerDisputePortalRoutes } from './disputes/portal-routes.ts'
import { registerCheckoutRoutes } from './checkout/routes.ts'
import { registerExamRoutes } from './exam/portal-routes.ts'
import { openLibrary } from './docs/library.ts'
import { registerDocsRoutes } from './docs/routes.ts'
import { registerFeedRoutes } from './feed/routes.ts'
import { registerOpenApiRoute, registerHealthRoutes, registerIcons } from './http/routes.ts'
import type { Http } from './http/server.ts'
import { createHttpServer } from './http/server.ts'
import { registerClosingRoutes } from './payments/closing/portal-routes.ts'
import { ERASED_ORDERS_KEY_POLL_MS } from './payments/erasure/erased-orders.ts'
import { registerUpstreamRoutes } from './payments/webhook/routes.ts'
import { toQrModules } from './paylinks/qr-code.ts'
import { toQrSvg } from './paylinks/qr-svg.ts'
import { registerPayLinkPortalRoutes } from './paylinks/portal-routes.ts'
import { registerPayLinkRoutes } from './paylinks/routes.ts'
import { registerAuditRoutes } from './payments/audit/portal-routes.ts'
import { registerPaymentPortalRoutes } from './payments/reads/portal-routes.ts'
import { registerPaymentRoutes } from './payments/reads/routes.ts'
import { registerHomeRoutes } from './portal/home/routes.ts'
import { registerPortalRoutes } from './portal/routes.ts'
import { requireProjectUntilCommit } from './projects/access.ts'
import { notifyOfNewAddress } from './projects/members/members.ts'
import { registerMemberRoutes } from './projects/members/portal-routes.ts'
import { registerBrandPortalRoutes } from './projects/brand/portal-routes.ts'
import { registerBrandRoutes } from './projects/brand/routes.ts'
import { registerProjectPortalRoutes } from './projects/portal-routes.ts'
import { registerProjectRoutes } from './projects/routes.ts'
import { createRefundAndDisputeReceivers } from './refunds/receive.ts'
import { registerRefundRoutes } from './refunds/routes.ts'
import type { Deps } from './wire.ts'

/** Any size will do: the portal scales the image. */
const FACTOR_QR_PX = 256

export async function createApp(deps: Deps): Promise<Http> {
  const { app, tools } = await createHttpServer(deps.config, deps.log, deps.metrics, deps.spans)
  const guards = createGuards(deps, tools)
  app.addHook('preHandler', guards.refuseTokenOfOtherProject)
  registerHealthRoutes(app, deps)
  registerOpenApiRoute(app)
  registerIcons(app, deps.config)
  registerAccountRoutes(app, deps, tools, guards, (tx, person) => notifyOfNewAddress(deps, tx, person))
  registerAccountSettingsRoutes(app, deps, tools, guards)
  registerFactorRoutes(app, deps, tools, guards, (text) => toQrSvg(toQrModules(text), FACTOR_QR_PX))
  registerPasskeyRoutes(app, deps, tools, guards)
  registerApiTokenRoutes(app, deps, guards, requireProjectUntilCommit)
  registerProjectRoutes(app, deps, guards)
  registerProjectPortalRoutes(app, deps, guards)
  registerMemberRoutes(app, deps, tools, guards)
  await registerBrandPortalRoutes(app, deps, tools, guards)
  registerBrandRoutes(app, deps, tools)
  registerPaymentRoutes(app, deps, tools, guards)
  registerPaymentPortalRoutes(app, deps, guards)
  registerAuditRoutes(app, deps, guards)
  registerFeedRoutes(app, deps, guards)
  registerRefundRoutes(app, deps, tools, guards)
  registerDisputePortalRoutes(app, deps, guards)
  registerStatementRoutes(app, deps, guards)
  registerClosingRoutes(app, deps, tools, guards)
  registerDeliveryPortalRoutes(app, deps, tools, guards)
  registerStreamPortalRoutes(app, deps, guards)
  registerExamRoutes(app, deps, tools, guards)
  registerPayLinkRoutes(app, deps, guards)
  registerPayLinkPortalRoutes(app, deps, guards)
  await registerCheckoutRoutes(app, deps, tools)
  await registerUpstreamRoutes(app, deps, createRefundAndDisputeReceivers(deps))
  const library = openLibrary(app, deps.config)
  registerDocsRoutes(app, deps, tools, guards, library)
  registerAssistantRoutes(app, { ...deps, library }, tools, guards)
  registerHomeRoutes(app, deps, tools, guards)
  registerPortalRoutes(app, deps, guards)
  pollErasedOrdersKey(app, deps)
  await app.ready()
  return app
}

/** For a process with ROLE=delivery: only the routes for its health and metrics. */
export async function createHealthApp(deps: Deps): Promise<Http> {
  const { app } = await createHttpServer(deps.config, deps.log, deps.metrics, deps.spans)
  registerHealthRoutes(app, deps)
  await app.ready()
  return app
}

/** Polls for the key with which the customIds of erased payments are hashed, because another process may create it. */
function pollErasedOrdersKey(app: Http, { erasedOrders, log }: Deps): void {
  const timer = setInterval(() => {
    erasedOrders.reload().then(
      (isKnown) => isKnown && clearInterval(timer),
      (error: unknown) => log.warn({ err: error }, 'the key of erased orders could not be read'),
    )
  }, ERASED_ORDERS_KEY_POLL_MS).unref()
  app.addHook('onClose', () => clearInterval(timer))
}
