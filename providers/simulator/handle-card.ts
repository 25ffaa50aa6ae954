import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dialect } from './dialect.js';
import { readKey } from './read-key.js';
import { sendJson } from './send-json.js';

/**
 * Answers who asks for the card of a model: every id is known that does not hold the word `unknown`. A card is no
 * question, so no fault strikes it and the call log does not list it.
 */
export function handleCard(
  dialect: Dialect,
  modelId: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const refuse = (status: number, message: string) =>
    sendJson(response, status, dialect.error({ status, code: null, retryAfter: null, message }));
  if (readKey(dialect, request) === null) return refuse(401, 'no key');
  if (modelId.includes('unknown')) return refuse(404, 'no such model');
  sendJson(response, 200, dialect.card(modelId));
}
