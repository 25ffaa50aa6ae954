import type { RequestHandler } from 'express';
import { readMoneyInFlight } from '../../db/money-in-flight.js';
import { isInternal } from '../../telemetry/is-internal.js';
import { metricsContentType, metricsPage } from '../../telemetry/metrics-page.js';
import type { ApiContext } from '../context.js';

/** `/metrics` for Prometheus; for whoever asks from outside there is nothing at this path. */
export function metricsRoute({ metrics, db, now }: ApiContext): RequestHandler {
  const page = metricsPage({ metrics, readMoney: () => readMoneyInFlight(db, now()), sdkUrl: null });
  return async (request, response, next) => {
    if (isInternal(request)) response.type(metricsContentType).send(await page());
    else next();
  };
}
