import { Router } from 'express';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';

/** `/healthz`: the process runs. `/readyz`: the database and Temporal are reachable too. */
export function healthRouter(context: ApiContext): Router {
  const router = Router();

  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });

  router.get('/readyz', async (_request, response) => {
    const checks = await context.readiness();
    const down = Object.keys(checks).filter(part => checks[part] !== null);
    if (down.length > 0) {
      throw new Problem('unavailable', `Not ready: ${down.join(', ')}.`, {
        data: { checks },
        retryAfterSeconds: 2,
      });
    }
    response.json({ status: 'ready', checks });
  });

  return router;
}
