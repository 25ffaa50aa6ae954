import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dialect } from './dialects/dialect.js';
import { readKey, sendJson } from './wire.js';

/**
 * Responds to a request for a model's metadata. All ids exist except those that contain `unknown`. Faults do
 * not apply, and the call log does not include these requests.
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
  if (isUnknownModel(modelId)) return refuse(404, 'no such model');
  sendJson(response, 200, dialect.modelInfo(modelId));
}

export function isUnknownModel(modelId: string): boolean {
  return modelId.includes('unknown');
}

/** Reads the model's id from the path of its metadata; null for other paths and for malformed ids. */
export function readModelPath({ modelPathPrefix, modelPathSuffix }: Dialect, path: string): string | null {
  const end = modelPathSuffix ?? '';
  if (!path.startsWith(modelPathPrefix) || !path.endsWith(end)) return null;
  const id = path.slice(modelPathPrefix.length, path.length - end.length);
  const wellFormed = modelPathSuffix === undefined ? escapedId : plainId;
  return wellFormed.test(id) ? decodeURIComponent(id) : null;
}

/** As in the catalogue. The SDKs escape the slash. */
const escapedId = /^([\w.:-]|%2f|%3a)+$/i;
const plainId = /^[\w.-]+\/[\w.:-]+$/;
