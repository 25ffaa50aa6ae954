import { CouncilReports } from '../../../client/council-reports.js';
import type { BoughtReport } from './report-buyer.js';

/** An event as it arrived. */
export interface ArrivedEvent {
  readonly id: number;
  readonly name: string;
  readonly atMs: number;
}

export interface OpenReader {
  readonly reportId: number;
  /** In the order of arrival. */
  readonly events: readonly ArrivedEvent[];
  /** Whether the stream is over. */
  readonly hasEnded: () => boolean;
  readonly leave: () => void;
}

/** Opens the event stream of a report. Resolves with the headers; the events arrive afterwards. */
export function openReader(url: string, { reportId, apiKey }: BoughtReport): Promise<OpenReader> {
  const { reports } = new CouncilReports({ baseUrl: url, apiKey, retryWithinSeconds: 0 });
  const leaving = new AbortController();
  const events: ArrivedEvent[] = [];
  let hasEnded = false;
  return new Promise((resolve, reject) => {
    const onConnection = (isOpen: boolean) => {
      hasEnded = !isOpen;
      resolve({ reportId, events, hasEnded: () => hasEnded, leave: () => leaving.abort() });
    };
    const read = async () => {
      for await (const { id, event } of reports.events(reportId, { signal: leaving.signal, onConnection })) {
        events.push({ id, name: event, atMs: performance.now() });
      }
    };
    // An open stream that breaks off has been resolved before.
    read().catch(reject);
  });
}
