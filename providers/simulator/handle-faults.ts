import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { faultRuleShape } from './fault.js';
import type { FaultBook } from './fault-book.js';
import { readJsonBody } from './read-json-body.js';
import { sendJson } from './send-json.js';

const rulesShape = z.array(faultRuleShape).max(100);

/** `GET`, `PUT` (the whole list) and `DELETE /simulator/faults`: faults set by hand while the simulator runs. */
export async function handleFaults(
  faults: FaultBook,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'PUT') {
    const rules = rulesShape.safeParse(await readJsonBody(request).catch(() => null));
    if (!rules.success) return sendJson(response, 400, { problem: z.prettifyError(rules.error) });
    faults.replaceAll(rules.data);
  } else if (request.method === 'DELETE') {
    faults.replaceAll([]);
  } else if (request.method !== 'GET') {
    return sendJson(response, 405, { problem: 'GET, PUT or DELETE' }, { allow: 'GET, PUT, DELETE' });
  }
  sendJson(response, 200, faults.list());
}
