import type { ReportVersion } from '../db/report-version.js';

/** A terminal report is frozen but for its grade; the rest is what differs from owner to owner. Null while it may still change. */
export function reportEtag(version: ReportVersion): string | null {
  const { id, status, endedAt, bought, apiKeyId, resolutionId, gradedAt } = version;
  if (status === 'pending' || status === 'processing') return null;
  const graded = gradedAt === null ? 'ungraded' : `${resolutionId}-${gradedAt.getTime()}`;
  return `"${[id, status, endedAt?.getTime(), bought, apiKeyId ?? 'session', graded].join('.')}"`;
}
