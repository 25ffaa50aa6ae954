import { Agent, request } from 'node:http';
import { shutdownRequested, tellReady } from '../../../platform/settings/lifetime.js';
import { percentile, rounded } from '../results/measurement.js';
import { type Load, type LoadRequest, type LoadResult, loadShape } from './load.js';

/**
 * A process that sends requests over keep-alive connections, one at a time on each. A separate process, so
 * that it does not use CPU time of the measured one.
 */
process.on('message', message => {
  const load = loadShape.safeParse(message);
  if (load.success) void send(load.data).then(result => process.send?.(result));
});
tellReady({ ready: '' });
await shutdownRequested();
process.exit(0);

async function send(load: Load): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  const statuses: Record<string, number> = {};
  let bytes = 0;
  const startMs = performance.now();
  const endMs = startMs + load.seconds * 1_000;
  await Promise.all(
    load.connections.map(async ({ localAddress, requests }) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress });
      for (let i = 0; (load.repeat || i < requests.length) && performance.now() < endMs; i += 1) {
        const next = requests[i % requests.length];
        if (next === undefined) break;
        const sentMs = performance.now();
        const { status, length } = await sendOne(load.url, next, agent);
        latenciesMs.push(performance.now() - sentMs);
        statuses[status] = (statuses[status] ?? 0) + 1;
        bytes += length;
      }
      agent.destroy();
    }),
  );
  const seconds = (performance.now() - startMs) / 1_000;
  return {
    requests: latenciesMs.length,
    requestsPerSecond: rounded(latenciesMs.length / seconds, 1),
    p50Ms: rounded(percentile(latenciesMs, 0.5)),
    p99Ms: rounded(percentile(latenciesMs, 0.99)),
    bytesPerResponse: Math.round(bytes / Math.max(1, latenciesMs.length)),
    statuses,
  };
}

function sendOne(
  url: string,
  { method, path, headers, body }: LoadRequest,
  agent: Agent,
): Promise<{ status: number; length: number }> {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, headers, agent }, response => {
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.byteLength;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, length }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
