import express, { type Express } from 'express';
import { operations } from '../contract/operations.js';
import { bodyMaxBytes } from '../purchase/limits.js';
import { createLoopbackAuth } from './auth/loopback-auth.js';
import type { ApiContext } from './context.js';
import { Problem } from './http/problem.js';
import { settleCallerAddress } from './middleware/caller-address.js';
import { presentProblem } from './middleware/present-problem.js';
import {
  preventCaching,
  requireHost,
  requireJson,
  requireMethod,
  setSecurityHeaders,
} from './middleware/request-guards.js';
import { tagRequest } from './middleware/tag-request.js';
import { throttle } from './middleware/throttle.js';
import { measureRequest, traceRequest } from './middleware/trace-request.js';
import { createAccountMarkets } from './purchases/account-market.js';
import { createGrantClaimants } from './purchases/grant-claimant.js';
import { accountsRoute, offeredRoutes } from './routes/accounts.js';
import { billingRouter, billingWebhookRoute } from './routes/billing.js';
import { creditsRouter } from './routes/credits.js';
import { docsRouter } from './routes/docs.js';
import { eventsRouter } from './routes/events.js';
import { keysRouter, providerKeysRouter } from './routes/keys.js';
import { mcpRoute } from './routes/mcp.js';
import { pagesRouter } from './routes/pages.js';
import { reportsRouter } from './routes/reports.js';
import { healthRouter } from './routes/service.js';
import { statsRouter } from './routes/stats.js';
import { wellKnownRouter } from './routes/well-known.js';
import { createAttempts } from './throttling/attempts.js';
import { createCountKey } from './throttling/count-key.js';
import { limitKeptRows } from './throttling/kept-rows.js';

/** All routes and middleware, in the order in which a request passes them. */
export function createApp(context: ApiContext): Express {
  const app = express();
  const loopbackAuth = createLoopbackAuth(context);
  const countKey = createCountKey(context);
  const readClaimant = createGrantClaimants(context, countKey);
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
  app.use(requireHost);
  // Not throttled: payment events are signed, and a burst of them must not be refused.
  app.post('/api/billing/webhook', billingWebhookRoute(context));
  app.use(throttle(context, countKey));
  app.use(healthRouter(context));
  app.use(wellKnownRouter(context));
  app.use(docsRouter());
  app.use(requireMethod([...Object.values(operations), ...offeredRoutes]));
  if (context.accounts !== null) {
    const attempts = createAttempts(context, countKey);
    app.all('/api/auth/*path', accountsRoute(context.accounts, context.publicUrl, attempts));
  }

  app.all('/mcp', mcpRoute(context, loopbackAuth));
  app.use(requireJson);
  app.use(express.json({ limit: bodyMaxBytes, strict: false }));
  app.use('/api/keys', keysRouter(context, limitKeptRows(context, countKey, 'keys')));
  app.use('/api/provider-keys', providerKeysRouter(context));
  app.use('/api/billing', billingRouter(context, limitKeptRows(context, countKey, 'checkouts')));
  app.use('/api/credits', creditsRouter(context, readClaimant));
  app.use('/api/events', eventsRouter(context));
  app.use('/api/reports', reportsRouter(context, readClaimant, createAccountMarkets(context, countKey)));
  app.use('/api/stats', statsRouter(context));

  if (context.pages !== null) app.use(pagesRouter(context.pages, loopbackAuth));

  app.use(() => {
    throw new Problem('not_found', 'There is nothing at this path.');
  });
  app.use(presentProblem(context));
  return app;
}
