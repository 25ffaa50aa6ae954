import { stages } from '../../../council/deliberation/stages.js';
import { councilModels } from '../../../council/models.js';
import type { Fault, FaultRule } from '../../../simulator/faults.js';
import type { LinkCondition } from '../deployment/link.js';
import type { RandomSource } from './random-source.js';

const beginsMs = 6_000;
const endsBeforeMs = 4_000;
const tenMinutesMs = 600_000;
const pauseMs = { least: 2_500, most: 7_000 } as const;

/** All faults within a duration. The same seed gives the same schedule. */
export function drawSchedule(random: RandomSource, durationMs: number): readonly ScheduledFault[] {
  const schedule: ScheduledFault[] = [];
  let atMs = beginsMs;
  while (atMs < durationMs - endsBeforeMs) {
    const drawn = { atMs, share: random.share(), ...draw[random.weighted(kinds)](random) };
    schedule.push('ms' in drawn ? { ...drawn, ms: Math.min(drawn.ms, durationMs - atMs) } : drawn);
    atMs += random.between(pauseMs.least, pauseMs.most);
  }
  return schedule;
}

const kinds = {
  kill: 32,
  pause: 14,
  line: 26,
  vendor: 13,
  market: 5,
  operator: 5,
  disk: 2,
  clock: 3,
} as const;

/** `ms`: for how long. */
const draw = {
  kill: (random: RandomSource) => ({
    kind: 'kill' as const,
    who: random.weighted({
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
  pause: (random: RandomSource) => ({
    kind: 'pause' as const,
    who: random.weighted({ worker: 38, api: 20, postgres: 16, backend: 6, temporal: 20 }),
    ms: random.whether(0.3) ? random.between(15_000, 60_000) : random.between(1_500, 12_000),
  }),
  line: (random: RandomSource) => {
    const condition = drawCondition(random);
    return {
      kind: 'line' as const,
      from: random.weighted({ api: 40, worker: 40, everybody: 20 }),
      to: random.weighted({ postgres: 40, temporal: 30, models: 20, market: 10 }),
      condition,
      ms: condition.kind === 'cut' ? random.between(10_000, 60_000) : random.between(1_500, 12_000),
    };
  },
  vendor: (random: RandomSource) => {
    // Sometimes all vendors fail at once, so that runs fail and are refunded.
    const isOutage = random.whether(0.35);
    const rules: readonly FaultRule[] = isOutage
      ? [{ fault: drawFault(random) }]
      : Array.from({ length: random.between(1, 4) }, () => ({
          model: random.pick(councilModels),
          ...(random.whether(0.5) ? { stage: random.pick(stages) } : {}),
          times: random.between(1, 12),
          fault: drawFault(random),
        }));
    return { kind: 'vendor' as const, rules, ms: random.between(4_000, isOutage ? 12_000 : 25_000) };
  },
  market: (random: RandomSource) => ({
    kind: 'market' as const,
    behaviour: random.pick(['down', 'slow', 'garbled'] as const),
    ms: random.between(2_000, 10_000),
  }),
  operator: (random: RandomSource) => ({
    kind: 'operator' as const,
    does: random.pick(['cancels', 'terminates'] as const),
  }),
  disk: (random: RandomSource) => ({ kind: 'disk' as const, ms: random.between(4_000, 20_000) }),
  clock: (random: RandomSource) => ({
    kind: 'clock' as const,
    who: random.pick(['api', 'worker'] as const),
    byMs: random.pick([-tenMinutesMs, tenMinutesMs]),
    ms: random.between(10_000, 40_000),
  }),
};

type Drawn = ReturnType<(typeof draw)[keyof typeof draw]>;

/** One fault at its time. `share` selects one of several targets, as a share of their number. */
export type ScheduledFault = Drawn & { readonly atMs: number; readonly share: number };

function drawCondition(random: RandomSource): LinkCondition {
  const kind = random.weighted({ slow: 28, stalled: 22, closed: 22, half_open: 14, cut: 14 });
  return kind === 'slow' ? { kind, ms: random.between(20, 400) } : { kind };
}

function drawFault(random: RandomSource): Fault {
  return random.pick<Fault>([
    { kind: 'http', status: 429, retry_after: String(random.between(1, 4)) },
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
    { kind: 'latency', ms: random.between(4_000, 12_000) },
  ]);
}
