import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { ReportVersion } from '../../db/reports/reports.js';

/**
 * Whether the caller already has this version (RFC 9110, `If-None-Match`). Express would ignore the header in
 * requests with `no-cache`, which every `fetch` adds.
 */
export function matchesEtag(request: Request, etag: string): boolean {
  const tags = (request.get('if-none-match') ?? '').split(',').map(tag => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}

export function isConditional(request: Request): boolean {
  return request.get('if-none-match') !== undefined;
}

export function contentEtag(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url')}"`;
}

/**
 * Null while the report can still change. Afterwards only its grade changes; the other parts of the tag
 * differ between owners of the same report.
 */
export function reportEtag(version: ReportVersion): string | null {
  const { id, status, endedAt, bought, apiKeyId, resolutionId, gradedAt } = version;
  if (status === 'pending' || status === 'processing') return null;
  const graded = gradedAt === null ? 'ungraded' : `${resolutionId}-${gradedAt.getTime()}`;
  return `"${[id, status, endedAt?.getTime(), bought, apiKeyId ?? 'session', graded].join('.')}"`;
}
