import type { LoadRequest } from './load.js';

export interface MadeReport {
  readonly reportId: number;
  readonly eventId: string;
}

/** Every caller buys every report. */
export function salesOf(apiKeys: readonly string[], reports: readonly MadeReport[]): LoadRequest[] {
  return reports.flatMap(({ eventId }) =>
    apiKeys.map(apiKey => ({
      method: 'POST' as const,
      path: '/api/reports',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ event_id: eventId }),
    })),
  );
}

/** Every caller reads every report. */
export function readsOf(apiKeys: readonly string[], reports: readonly MadeReport[]): LoadRequest[] {
  return reports.flatMap(({ reportId }) =>
    apiKeys.map(apiKey => ({
      method: 'GET' as const,
      path: `/api/reports/${reportId}`,
      headers: { 'x-api-key': apiKey },
    })),
  );
}

/** The same by callers who have each report already, and name the version they have. */
export async function knownReadsOf(
  url: string,
  apiKeys: readonly string[],
  reports: readonly MadeReport[],
): Promise<LoadRequest[]> {
  const known: LoadRequest[] = [];
  for (const read of readsOf(apiKeys, reports)) {
    const answer = await fetch(url + read.path, { headers: read.headers });
    await answer.arrayBuffer();
    const etag = answer.headers.get('etag');
    if (etag === null) throw new Error(`${read.path} was answered ${answer.status}, without an ETag`);
    known.push({ ...read, headers: { ...read.headers, 'if-none-match': etag } });
  }
  return known;
}
