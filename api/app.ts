import compression from 'compression';
import express, { type Express } from 'express';
import { batchResultOperations } from '../contract/batches/batch-results.js';
import { batchStreamOperations } from '../contract/batches/batch-stream.js';
import { batchOperations } from '../contract/batches/batches.js';
import { billingOperations } from '../contract/billing.js';
import { creditOperations } from '../contract/credits.js';
import { eventOperations } from '../contract/events.js';
import { keyOperations } from '../contract/keys.js';
import { operations } from '../contract/operations.js';
import { providerKeyOperations } from '../contract/provider-keys.js';
import { purchaseOperations } from '../contract/purchase.js';
import { reportStreamOperations } from '../contract/report-stream.js';
import { reportOperations } from '../contract/reports.js';
import { serviceOperations } from '../contract/service.js';
import { trackRecordOperations } from '../contract/track-record.js';
import { webhookOperations } from '../contract/webhooks.js';
import { bodyMaxBytes } from '../purchase/limits.js';
import { createLoopbackAuth } from './auth/loopback-auth.js';
import type { ApiContext } from './context.js';
import { Problem } from './http/problem.js';
import { serveOperations } from './http/serve-operations.js';
import { presentProblem } from './middleware/present-problem.js';
import {
  preventCaching,
  requireHost,
  requireJson,
  requireMethod,
  setSecurityHeaders,
  settleCallerAddress,
} from './middleware/request-guards.js';
import { tagRequest } from './middleware/tag-request.js';
import { throttle } from './middleware/throttle.js';
import { measureRequest, traceRequest } from './middleware/trace-request.js';
import { createAccountMarkets } from './purchases/account-market.js';
import { createGrantClaimants } from './purchases/grant-claimant.js';
import { createHeldAnswers } from './reading/held-answers.js';
import { accountsRoute, offeredRoutes } from './routes/accounts.js';
import { batchResultHandlers } from './routes/batch-results.js';
import { batchHandlers } from './routes/batches.js';
import { billingHandlers, billingWebhookRoute, paymentsConfigured } from './routes/billing.js';
import { creditHandlers } from './routes/credits.js';
import { docsRouter } from './routes/docs.js';
import { documentsRouter } from './routes/documents.js';
import { eventHandlers } from './routes/events.js';
import { batchStreamHandlers } from './routes/follow-batch.js';
import { reportStreamHandlers } from './routes/follow-report.js';
import { keyHandlers, providerKeyHandlers } from './routes/keys.js';
import { mcpRoute } from './routes/mcp.js';
import { pagesRouter } from './routes/pages.js';
import { purchaseHandlers, reportHandlers } from './routes/reports.js';
import { serviceHandlers } from './routes/service.js';
import { trackRecordHandlers } from './routes/stats.js';
import { webhookHandlers } from './routes/webhooks.js';
import { wellKnownRouter } from './routes/well-known.js';
import { createAttempts } from './throttling/attempts.js';
import { type CountKey, createCountKey } from './throttling/count-key.js';
import { limitDryRuns, limitKeptRows, limitSends } from './throttling/kept-rows.js';

/** All routes and middleware, in the order in which a request passes them. */
export function createApp(context: ApiContext): Express {
  const app = express();
  const loopbackAuth = createLoopbackAuth(context);
  const countKey = createCountKey(context);
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  // An empty list trusts nobody: `X-Forwarded-*` of every caller is ignored.
  app.set('trust proxy', [...context.trustedProxies]);

  app.use(settleCallerAddress, loopbackAuth.restoreCaller);
  app.use(traceRequest());
  app.use(tagRequest(context));
  app.use(preventCaching);
  app.use(setSecurityHeaders());
  app.use(measureRequest(context));
  // Not throttled: payment events are signed, and a burst of them must not be refused.
  app.post(billingOperations.receivePaymentEvent.path, requireHost, billingWebhookRoute(context));
  // Before whatever refuses: each response says what remains.
  app.use(throttle(context, countKey));
  app.use(requireHost);
  serveOperations(app, context, serviceOperations, serviceHandlers(context));
  app.use(wellKnownRouter(context));
  if (context.pages !== null) app.use(docsRouter(context.pages, context.publicUrl));
  app.use(documentsRouter(context.publicUrl));
  app.use(requireMethod([...Object.values(operations), ...offeredRoutes]));
  if (context.accounts !== null) {
    const attempts = createAttempts(context, countKey);
    app.all('/api/auth/*path', accountsRoute(context.accounts, context.publicUrl, attempts));
  }

  app.all('/mcp', mcpRoute(context, loopbackAuth));
  app.use(requireJson);
  app.use(express.json({ limit: bodyMaxBytes, strict: false }));
  serveJson(app, context, countKey);
  if (context.pages !== null) app.use(pagesRouter(context.pages, loopbackAuth, context.recordHead));

  app.use(() => {
    throw new Problem('not_found', 'There is nothing at this path.');
  });
  app.use(presentProblem(context));
  return app;
}

/** The operations that take and answer JSON. */
function serveJson(app: Express, context: ApiContext, countKey: CountKey): void {
  const limitKeys = limitKeptRows(context, countKey, 'keys');
  serveOperations(app, context, keyOperations, keyHandlers(context), { mintKey: [limitKeys] });
  serveOperations(app, context, providerKeyOperations, providerKeyHandlers(context));
  const sends = limitSends(context, countKey);
  serveOperations(app, context, webhookOperations, webhookHandlers(context), {
    createWebhook: [limitKeptRows(context, countKey, 'webhooks')],
    testWebhook: [limitKeptRows(context, countKey, 'webhook_tests'), sends],
    repeatWebhookDelivery: [sends],
  });
  const payments = paymentsConfigured(context);
  const { receivePaymentEvent: _own, ...billing } = billingOperations;
  serveOperations(app, context, billing, billingHandlers(context), {
    buyCredits: [limitKeptRows(context, countKey, 'checkouts'), payments],
    subscribe: [payments],
    openBillingPortal: [payments],
  });
  const readClaimant = createGrantClaimants(context, countKey);
  serveOperations(app, context, creditOperations, creditHandlers(context, readClaimant));
  app.use(['/api/events', '/api/stats'], compression());
  serveOperations(app, context, eventOperations, eventHandlers(context));
  serveOperations(app, context, trackRecordOperations, trackRecordHandlers(context));
  const marketOf = createAccountMarkets(context, countKey);
  serveOperations(app, context, purchaseOperations, purchaseHandlers(context, readClaimant, marketOf));
  const heldAnswers = createHeldAnswers(context);
  serveOperations(app, context, reportOperations, reportHandlers(context, heldAnswers));
  serveOperations(app, context, reportStreamOperations, reportStreamHandlers(context, heldAnswers));
  const batches = batchHandlers(context, heldAnswers, limitDryRuns(context, countKey));
  serveOperations(app, context, batchOperations, batches);
  serveOperations(app, context, batchResultOperations, batchResultHandlers(context));
  serveOperations(app, context, batchStreamOperations, batchStreamHandlers(context, heldAnswers));
}
