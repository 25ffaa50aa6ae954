import { z } from 'zod';
import type { Stage } from '../../../council/deliberation/stages.js';
import type { CouncilModel } from '../../../council/models.js';
import { choosePort } from '../../../platform/net/free-port.js';
import { embeddedTemporalFlag } from '../../../platform/settings/lifetime.js';
import { vendorEnvironment } from '../../../providers/vendor-settings.js';
import { type RunningProcess, runProcess } from './run-process.js';
import { type BenchServices, withBenchServices } from './with-bench-services.js';

/** The service as deployed: API and worker processes with external models and an external market. */
export interface BenchedService extends BenchServices {
  readonly url: string;
  /** Where API and worker serve their metrics; empty without `metricsPages`. */
  readonly metricsUrls: { readonly api: string; readonly worker: string };
  readonly gammaUrl: string;
  readonly processes: { readonly api: number; readonly worker: number; readonly outside: number };
  /** Sets the models' latencies. The first rule that matches a call applies. */
  readonly slowDown: (latencies: readonly Latency[]) => Promise<void>;
  readonly stopWorker: () => Promise<void>;
}

/** Applies to all models or stages if none is given. */
export interface Latency {
  readonly model?: CouncilModel;
  readonly stage?: Stage;
  readonly ms: number;
}

/** Differences from `npm start`. */
export interface Deployment {
  /** Additional environment variables of API and worker. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Uses one task queue per member also on the embedded server; on an external one there always is. */
  readonly ownModelQueues?: boolean;
  /** Serves the metrics of API and worker. */
  readonly metricsPages?: boolean;
  /** Uses in-process models that do nothing instead of models over HTTP. */
  readonly noOpModels?: boolean;
}

export async function withService<Result>(
  env: NodeJS.ProcessEnv,
  { settings = {}, ownModelQueues = false, metricsPages = false, noOpModels = false }: Deployment,
  measure: (service: BenchedService) => Promise<Result>,
): Promise<Result> {
  return withBenchServices(env, async services => {
    const started: RunningProcess[] = [];
    const start = async (module: string, env: NodeJS.ProcessEnv, ...args: readonly string[]) => {
      const running = await runProcess({ module, args, env, logFolder: services.logFolder });
      started.unshift(running);
      return running;
    };
    try {
      const outside = await start('tools/bench/services/external-services', { PATH: services.env['PATH'] });
      const world = worldShape.parse(JSON.parse(outside.ready));
      const serviceEnv = { ...services.env, ...liveSettings(world), ...settings, PORT: '0' };
      const [apiPage, workerPage] = metricsPages ? [await choosePort(0), await choosePort(0)] : [];
      const worker = await start(noOpModels ? 'tools/bench/services/no-op-worker' : 'activities/worker', {
        ...serviceEnv,
        PORT: workerPage === undefined ? undefined : String(workerPage),
      });
      const apiEnv = { ...serviceEnv, METRICS_PORT: apiPage === undefined ? undefined : String(apiPage) };
      const flags = services.isEmbedded && !ownModelQueues ? [embeddedTemporalFlag] : [];
      const api = await start('api/main', apiEnv, ...flags);
      return await measure({
        ...services,
        url: api.ready,
        metricsUrls: { api: urlOf(apiPage), worker: urlOf(workerPage) },
        gammaUrl: world.gammaUrl,
        processes: { api: api.pid, worker: worker.pid, outside: outside.pid },
        slowDown: latencies => slowDown(world.simulatorUrl, latencies),
        stopWorker: worker.stop,
      });
    } finally {
      for (const running of started) await running.stop();
    }
  });
}

function urlOf(port: number | undefined): string {
  return port === undefined ? '' : `http://127.0.0.1:${port}`;
}

const worldShape = z.object({
  simulatorUrl: z.string(),
  gammaUrl: z.string(),
  modelUrls: z.object({ openai: z.string(), anthropic: z.string(), google: z.string(), xai: z.string() }),
});

/** To the service, these are live models at other base URLs. */
function liveSettings({ gammaUrl, modelUrls }: z.infer<typeof worldShape>): NodeJS.ProcessEnv {
  const key = 'no-key-is-needed';
  return {
    COUNCIL_PROVIDERS: 'live',
    // A ceiling would end a measurement: the models' answers have the prices of real ones.
    HOUSE_LIMIT_USD_PER_DAY: 'unlimited',
    GRANT_LIMIT_USD_PER_DAY: 'unlimited',
    MARKETS: 'polymarket',
    POLYMARKET_GAMMA_URL: gammaUrl,
    ...vendorEnvironment({ openai: key, anthropic: key, google: key, xai: key }, modelUrls),
  };
}

async function slowDown(simulatorUrl: string, latencies: readonly Latency[]): Promise<void> {
  const response = await fetch(`${simulatorUrl}/simulator/faults`, {
    method: 'PUT',
    body: JSON.stringify(latencies.map(({ ms, ...calls }) => ({ ...calls, fault: { kind: 'latency', ms } }))),
  });
  if (!response.ok) throw new Error(`the simulator responded ${response.status}: ${await response.text()}`);
}
