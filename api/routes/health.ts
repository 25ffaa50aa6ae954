import { Router } from 'express';
import type { ApiContext } from '../context.js';
import { Problem } from '../problem.js';

/** `/healthz`: the process is alive. `/readyz`: it can do its work, because what it stands on is there. */
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
