import { z } from 'zod';
import { embeddedTemporalFlag } from '../../config/lifetime.js';
import type { Stage } from '../../council/deliberation/stages.js';
import type { CouncilModel } from '../../council/models.js';
import { type RunningProcess, runProcess } from './run-process.js';
import { type BenchServices, withBenchServices } from './with-bench-services.js';

/** The service as it is deployed: API and worker as processes of their own, on models and a market that are not its own. */
export interface BenchedService extends BenchServices {
  readonly url: string;
  readonly gammaUrl: string;
  readonly processes: { readonly api: number; readonly worker: number; readonly outside: number };
  /** From now on models take so long: the first rule that fits a call counts. */
  readonly slowDown: (latencies: readonly Latency[]) => Promise<void>;
  readonly stopWorker: () => Promise<void>;
}

/** Without a model or a stage it is meant for all of them. */
export interface Latency {
  readonly model?: CouncilModel;
  readonly stage?: Stage;
  readonly ms: number;
}

/** How it differs from what `npm start` makes of it. */
export interface Deployment {
  /** Further settings of API and worker. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Calls to each member wait on a queue of their own, as on a Temporal server of one's own. */
  readonly ownModelQueues?: boolean;
  /** Models that do nothing, within the worker, in place of some that are asked over HTTP. */
  readonly noOpModels?: boolean;
}

export async function withService<Result>(
  env: NodeJS.ProcessEnv,
  { settings = {}, ownModelQueues = false, noOpModels = false }: Deployment,
  measure: (service: BenchedService) => Promise<Result>,
): Promise<Result> {
  return withBenchServices(env, async services => {
    const started: RunningProcess[] = [];
    const start = async (module: string, told: NodeJS.ProcessEnv, ...args: readonly string[]) => {
      const running = await runProcess({ module, args, env: told, logFolder: services.logFolder });
      started.unshift(running);
      return running;
    };
    try {
      const outside = await start('bench/services/external-services', { PATH: services.env['PATH'] });
      const world = worldShape.parse(JSON.parse(outside.said));
      const told = { ...services.env, ...outsideOf(world), ...settings, PORT: '0' };
      const worker = await start(noOpModels ? 'bench/services/no-op-worker' : 'activities/worker', {
        ...told,
        PORT: undefined,
      });
      const api = await start('api/main', told, ...(ownModelQueues ? [] : [embeddedTemporalFlag]));
      return await measure({
        ...services,
        url: api.said,
        gammaUrl: world.gammaUrl,
        processes: { api: api.pid, worker: worker.pid, outside: outside.pid },
        slowDown: latencies => slowDown(world.simulatorUrl, latencies),
        stopWorker: worker.end,
      });
    } finally {
      for (const running of started) await running.end();
    }
  });
}

const worldShape = z.object({
  simulatorUrl: z.string(),
  gammaUrl: z.string(),
  modelUrls: z.object({ openai: z.string(), anthropic: z.string(), google: z.string(), xai: z.string() }),
});

/** To the service they are live models, at other addresses. */
function outsideOf({ gammaUrl, modelUrls }: z.infer<typeof worldShape>): NodeJS.ProcessEnv {
  const key = 'no-key-is-needed';
  return {
    COUNCIL_PROVIDERS: 'live',
    MARKETS: 'polymarket',
    POLYMARKET_GAMMA_URL: gammaUrl,
    OPENAI_API_KEY: key,
    ANTHROPIC_API_KEY: key,
    GEMINI_API_KEY: key,
    XAI_API_KEY: key,
    OPENAI_BASE_URL: modelUrls.openai,
    ANTHROPIC_BASE_URL: modelUrls.anthropic,
    GEMINI_BASE_URL: modelUrls.google,
    XAI_BASE_URL: modelUrls.xai,
  };
}

async function slowDown(simulatorUrl: string, latencies: readonly Latency[]): Promise<void> {
  const response = await fetch(`${simulatorUrl}/simulator/faults`, {
    method: 'PUT',
    body: JSON.stringify(latencies.map(({ ms, ...calls }) => ({ ...calls, fault: { kind: 'latency', ms } }))),
  });
  if (!response.ok) throw new Error(`the simulator answered ${response.status}: ${await response.text()}`);
}
