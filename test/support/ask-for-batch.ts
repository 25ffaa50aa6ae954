import { randomUUID } from 'node:crypto';
import type { Answer, Ask, TestCaller } from './service/test-caller.js';

/** Asks for a batch, under a key of its own unless the request has one. */
export function askForBatch(
  caller: TestCaller,
  body: object,
  { headers = {}, ...ask }: Ask = {},
): Promise<Answer> {
  const all = { lane: 'credits', budget_credits: 100_000, ...body };
  return caller.post('/api/batches', all, {
    ...ask,
    headers: { 'idempotency-key': randomUUID(), ...headers },
  });
}
