import type { Request } from 'express';
import type { ReportVersion } from '../../db/reports/reports.js';

/**
 * Whether the caller has the answer already (RFC 9110, `If-None-Match`). Express would not look where the request
 * says `no-cache`, which is what every `fetch` adds by itself.
 */
export function matchesEtag(request: Request, etag: string): boolean {
  const known = (request.get('if-none-match') ?? '').split(',').map(tag => tag.trim().replace(/^W\//, ''));
  return known.includes('*') || known.includes(etag);
}

/** Whether it says which answer it has already. */
export function asksForChange(request: Request): boolean {
  return request.get('if-none-match') !== undefined;
}

/** A terminal report is frozen but for its grade; the rest is what differs from owner to owner. Null while it may still change. */
export function reportEtag(version: ReportVersion): string | null {
  const { id, status, endedAt, bought, apiKeyId, resolutionId, gradedAt } = version;
  if (status === 'pending' || status === 'processing') return null;
  const graded = gradedAt === null ? 'ungraded' : `${resolutionId}-${gradedAt.getTime()}`;
  return `"${[id, status, endedAt?.getTime(), bought, apiKeyId ?? 'session', graded].join('.')}"`;
}
