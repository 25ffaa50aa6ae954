import type { serviceOperations } from '../../contract/service.js';
import { packageFacts } from '../../platform/settings/project-files.js';
import type { ApiContext } from '../context.js';
import { sendPrebuilt } from '../http/prebuilt.js';
import { Problem } from '../http/problem.js';
import { type Handlers, sent } from '../http/serve-operations.js';
import { createOpenApi } from '../openapi/document.js';

/** Health, readiness and the OpenAPI document. */
export function serviceHandlers(context: ApiContext): Handlers<typeof serviceOperations> {
  const content = JSON.stringify(createOpenApi(packageFacts().version));
  const sendDocument = sendPrebuilt({
    type: 'application/json',
    cacheControl: 'public, max-age=300',
    content,
  });
  return {
    getHealth: () => ({ status: 'ok' }),
    getReadiness: async () => {
      const checks = await context.readiness();
      const down = Object.keys(checks).filter(part => checks[part] !== null);
      if (down.length > 0) {
        throw new Problem('unavailable', `Not ready: ${down.join(', ')}.`, {
          data: { checks },
          retryAfterSeconds: 2,
        });
      }
      return { status: 'ready', checks: Object.fromEntries(Object.keys(checks).map(part => [part, null])) };
    },
    getOpenApi: async ({ request, response }) => {
      await sendDocument(request, response, () => undefined);
      return sent;
    },
  };
}
