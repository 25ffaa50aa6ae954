import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dialect } from './dialects/dialect.js';
import { readKey, sendJson } from './wire.js';

/**
 * Answers who asks for the card of a model: every id is known that does not hold the word `unknown`. A card is no
 * question, so no fault strikes it and the call log does not list it.
 */
export function handleModelLookup(
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

/** The id of the model whose card a path asks for; null for any other path, and for an id that no model can have. */
export function readModelPath({ modelPathPrefix, modelPathSuffix }: Dialect, path: string): string | null {
  const end = modelPathSuffix ?? '';
  if (!path.startsWith(modelPathPrefix) || !path.endsWith(end)) return null;
  const id = path.slice(modelPathPrefix.length, path.length - end.length);
  const wellFormed = modelPathSuffix === undefined ? escapedId : plainId;
  return wellFormed.test(id) ? decodeURIComponent(id) : null;
}

/** As in the catalogue; the SDKs escape the slash. */
const escapedId = /^([\w.:-]|%2f|%3a)+$/i;
const plainId = /^[\w.-]+\/[\w.:-]+$/;
