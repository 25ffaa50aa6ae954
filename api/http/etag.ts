import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { ReportVersion } from '../../db/reports/reports.js';

/**
 * Whether the caller already has this version (RFC 9110, `If-None-Match`). Express would ignore the header in
 * requests with `no-cache`, which every `fetch` adds.
 */
export function matchesEtag(request: Request, etag: string): boolean {
  const tags = (request.get('if-none-match') ?? '').split(',').map(tag => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}

/**
 * Sends JSON that is the same for every caller, or 304 to a caller who already has it. The tag is weak: compression
 * changes the bytes and not the content.
 */
export function sendShared(request: Request, response: Response, json: string, cacheControl: string): void {
  const tag = etagOf(json);
  response.set('Cache-Control', cacheControl).set('ETag', `W/${tag}`);
  if (matchesEtag(request, tag)) response.status(304).end();
  else response.type('application/json').send(json);
}

/** The tag of a content, in quotes. */
export function etagOf(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url')}"`;
}

/**
 * Null while the report can still change. Afterwards only its grade and the rules of its event change; the other parts of the tag
 * differ between owners of the same report.
 */
export function reportEtag(version: ReportVersion): string | null {
  const { id, status, endedAt, bought, apiKeyId, resolutionId, gradedAt, rulesSeenAt } = version;
  if (status === 'pending' || status === 'processing') return null;
  const graded = gradedAt === null ? 'ungraded' : `${resolutionId}-${gradedAt.getTime()}`;
  const ruled = rulesSeenAt === null ? [] : [`rules-${rulesSeenAt.getTime()}`];
  return `"${[id, status, endedAt?.getTime(), bought, apiKeyId ?? 'session', graded, ...ruled].join('.')}"`;
}
