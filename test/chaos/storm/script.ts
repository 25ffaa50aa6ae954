import { stages } from '../../../council/deliberation/stages.js';
import { councilModels } from '../../../council/models.js';
import type { Fault, FaultRule } from '../../../providers/simulator/faults.js';
import type { MarketMood } from '../stage/gamma-stand-in.js';
import type { Weather } from '../stage/link.js';
import type { Destination } from '../stage/network.js';
import type { Chance } from './chance.js';

export type Victim =
  | 'worker'
  | 'api'
  | 'postgres'
  | 'backend'
  | 'temporal'
  | 'workers'
  | 'apis'
  | 'everything';

/** One thing that goes wrong. `whom`: which of several, as a share of their number. */
export type Gust = { readonly atMs: number; readonly whom: number } & (
  | { readonly kind: 'kill'; readonly who: Victim }
  | { readonly kind: 'pause'; readonly who: 'worker' | 'api' | 'postgres' | 'temporal'; readonly ms: number }
  | {
      readonly kind: 'line';
      readonly from: 'api' | 'worker' | 'everybody';
      readonly to: Destination;
      readonly weather: Weather;
      readonly ms: number;
    }
  | { readonly kind: 'vendor'; readonly rules: readonly FaultRule[]; readonly ms: number }
  | { readonly kind: 'market'; readonly mood: MarketMood; readonly ms: number }
  | { readonly kind: 'operator'; readonly does: 'cancels' | 'terminates' }
);

const beginsMs = 6_000;
const endsBeforeMs = 4_000;
const pauseMs = { least: 2_500, most: 7_000 } as const;

/** All that will go wrong in so long a time: the same for the same seed. */
export function drawScript(chance: Chance, stormMs: number): readonly Gust[] {
  const script: Gust[] = [];
  let atMs = beginsMs;
  while (atMs < stormMs - endsBeforeMs) {
    script.push({ atMs, whom: chance.share(), ...draw[chance.weighted(kinds)](chance) });
    atMs += chance.between(pauseMs.least, pauseMs.most);
  }
  return script;
}

const kinds = { kill: 34, pause: 14, line: 26, vendor: 14, market: 6, operator: 6 } as const;

type Drawn = Gust extends infer One ? (One extends Gust ? Omit<One, 'atMs' | 'whom'> : never) : never;

const draw: Readonly<Record<keyof typeof kinds, (chance: Chance) => Drawn>> = {
  kill: chance => ({
    kind: 'kill',
    who: chance.weighted({
      worker: 32,
      api: 20,
      postgres: 14,
      backend: 8,
      temporal: 14,
      workers: 6,
      apis: 3,
      everything: 3,
    }),
  }),
  pause: chance => ({
    kind: 'pause',
    who: chance.weighted({ worker: 40, api: 20, postgres: 20, temporal: 20 }),
    ms: chance.between(1_500, 12_000),
  }),
  line: chance => ({
    kind: 'line',
    from: chance.weighted({ api: 40, worker: 40, everybody: 20 }),
    to: chance.weighted({ postgres: 40, temporal: 30, models: 20, market: 10 }),
    weather: drawWeather(chance),
    ms: chance.between(1_500, 12_000),
  }),
  vendor: chance => {
    // Sometimes all of them at once, so that runs fail and are refunded.
    const isOutage = chance.whether(0.35);
    const rules = isOutage
      ? [{ fault: drawFault(chance) }]
      : Array.from({ length: chance.between(1, 4) }, () => ({
          model: chance.pick(councilModels),
          ...(chance.whether(0.5) ? { stage: chance.pick(stages) } : {}),
          times: chance.between(1, 12),
          fault: drawFault(chance),
        }));
    return { kind: 'vendor', rules, ms: chance.between(4_000, isOutage ? 12_000 : 25_000) };
  },
  market: chance => ({
    kind: 'market',
    mood: chance.pick(['down', 'slow', 'garbled'] as const),
    ms: chance.between(2_000, 10_000),
  }),
  operator: chance => ({ kind: 'operator', does: chance.pick(['cancels', 'terminates'] as const) }),
};

function drawWeather(chance: Chance): Weather {
  const kind = chance.weighted({ slow: 30, stalled: 25, closed: 25, half_open: 20 });
  return kind === 'slow' ? { kind, ms: chance.between(20, 400) } : { kind };
}

function drawFault(chance: Chance): Fault {
  return chance.pick<Fault>([
    { kind: 'http', status: 429, retry_after: String(chance.between(1, 4)) },
    { kind: 'http', status: 429 },
    { kind: 'http', status: 500 },
    { kind: 'http', status: 503, html: true },
    { kind: 'http', status: 401 },
    { kind: 'hang' },
    { kind: 'connection_reset' },
    { kind: 'invalid_json' },
    { kind: 'truncated' },
    { kind: 'empty' },
    { kind: 'refusal' },
    { kind: 'wrong_sum' },
    { kind: 'latency', ms: chance.between(4_000, 12_000) },
  ]);
}
