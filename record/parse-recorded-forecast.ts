import { z } from 'zod';
import { evidenceStatuses } from '../council/evidence.js';
import { councilModels } from '../council/models.js';
import { type RecordedForecast, recordVersions } from './recorded-forecast.js';

/** Parses the forecast of a record entry. Null if the current grader cannot read it. */
export function parseRecordedForecast(text: string): RecordedForecast | null {
  const parsed = schema.safeParse(parsedJson(text));
  return parsed.success ? parsed.data : null;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const percent = z.number().min(0).max(100);
const model = z.enum(councilModels);

const outcome = z.object({
  name: z.string(),
  market_id: z.string().nullable(),
  side: z.enum(['yes', 'no']),
  council: percent,
  market: percent.nullable(),
  members: z.partialRecord(model, z.number()),
  estimate: percent.nullable(),
  first_council: percent,
  first_members: z.partialRecord(model, z.number()),
});

const bet = z.object({
  side: z.enum(['BUY_YES', 'BUY_NO']),
  market: z.string(),
  market_id: z.string(),
  kind: z.enum(['edge', 'pick']),
  share_cost: z.number(),
  payout_per_dollar: z.number(),
  win_probability: percent,
  stake_fraction: z.number().min(0).max(1).exactOptional(),
});

const schema: z.ZodType<RecordedForecast> = z.object({
  record: z.enum(Object.values(recordVersions)),
  report_id: z.int().positive(),
  event_id: z.string(),
  event_title: z.string(),
  category: z.string().nullable(),
  simulated: z.boolean(),
  method: z.string(),
  model_ids: z.partialRecord(model, z.string()),
  prompt_sha256: digest,
  answers_sha256: digest,
  market_sha256: digest,
  prices_at: z.string(),
  completed_at: z.string(),
  exclusive: z.boolean(),
  degraded: z.boolean(),
  conflict: z.boolean(),
  action: z.enum(['BUY_YES', 'BUY_NO', 'SKIP']),
  queried_market: z.string(),
  headline: z.object({
    outcome: z.string(),
    percent,
    source: z.enum(['council', 'market_implied']),
  }),
  outcomes: z.array(outcome).min(1),
  left_out: z.array(z.string()),
  bets: z.array(bet),
  estimate_weights: z.object({ id: z.string(), sha256: digest }).nullable(),
  evidence: z
    .object({ status: z.enum(evidenceStatuses), items: z.int().nonnegative(), sha256: digest })
    .nullable(),
  confidence: percent.exactOptional(),
  outside_view: z
    .array(z.object({ outcome: z.string(), probability: percent, members: z.array(model) }))
    .exactOptional(),
  resolution_risk: percent.nullable().exactOptional(),
  market_gap: z
    .object({ outcome: z.string(), council: percent, market: percent, points: percent })
    .nullable()
    .exactOptional(),
});
