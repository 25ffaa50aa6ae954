import type { LoadRequest } from './load.js';

export interface FinishedReport {
  readonly reportId: number;
  readonly eventId: string;
}

/** Each caller buys each report. */
export function purchaseRequests(
  apiKeys: readonly string[],
  reports: readonly FinishedReport[],
): LoadRequest[] {
  return reports.flatMap(({ eventId }) =>
    apiKeys.map(apiKey => ({
      method: 'POST' as const,
      path: '/api/reports',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ event_id: eventId }),
    })),
  );
}

/** Each caller reads each report. */
export function readRequests(apiKeys: readonly string[], reports: readonly FinishedReport[]): LoadRequest[] {
  return reports.flatMap(({ reportId }) =>
    apiKeys.map(apiKey => ({
      method: 'GET' as const,
      path: `/api/reports/${reportId}`,
      headers: { 'x-api-key': apiKey },
    })),
  );
}

/** The same, with the report's current ETag in `If-None-Match`. */
export async function conditionalReadRequests(
  url: string,
  apiKeys: readonly string[],
  reports: readonly FinishedReport[],
): Promise<LoadRequest[]> {
  const requests: LoadRequest[] = [];
  for (const read of readRequests(apiKeys, reports)) {
    const response = await fetch(url + read.path, { headers: read.headers });
    await response.arrayBuffer();
    const etag = response.headers.get('etag');
    if (etag === null) throw new Error(`${read.path} returned ${response.status} without an ETag`);
    requests.push({ ...read, headers: { ...read.headers, 'if-none-match': etag } });
  }
  return requests;
}
