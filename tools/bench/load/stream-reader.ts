import { Agent, get } from 'node:http';
import { createInterface } from 'node:readline';
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

/** Each stream keeps a connection for itself. */
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });

/** Opens the event stream of a report. Resolves with the headers; the events arrive afterwards. */
export function openReader(url: string, { reportId, apiKey }: BoughtReport): Promise<OpenReader> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': apiKey };
    const request = get(`${url}/api/reports/${reportId}/events`, { agent, headers }, response => {
      if (response.statusCode !== 200) {
        response.resume();
        reject(new Error(`a stream was answered with ${response.statusCode}`));
        return;
      }
      const events: ArrivedEvent[] = [];
      let id = 0;
      createInterface({ input: response }).on('line', line => {
        const [field, value = ''] = line.split(': ', 2);
        if (field === 'id') id = Number(value);
        if (field === 'event') events.push({ id, name: value, atMs: performance.now() });
      });
      let hasEnded = false;
      response.on('close', () => {
        hasEnded = true;
      });
      resolve({ reportId, events, hasEnded: () => hasEnded, leave: () => request.destroy() });
    });
    request.on('error', reject);
  });
}
