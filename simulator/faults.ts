import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { type CallStage, callStages } from '../council/deliberation/stages.js';
import { type CouncilModel, councilModels, type KeyVendor } from '../council/models.js';
import type { AnswerLimits } from '../providers/answer-limits.js';
import { readJsonBody, sendJson } from './wire.js';

/** A statement and the page that it cites. */
const plantedSource = z.strictObject({
  /** Null: the citation has no address. */
  url: z.string().max(2_000).nullable(),
  title: z.string().max(1_000).nullable().default(null),
  text: z.string().max(10_000),
  /** As Anthropic reports it, such as `November 20, 2026`. */
  page_age: z.string().max(100).nullable().default(null),
});

/** A fault of one response. README.md describes each one for each vendor. */
export const faultShape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('latency'), ms: z.int().nonnegative().max(600_000) }),
  z.strictObject({
    kind: z.literal('http'),
    status: z.int().min(200).max(599),
    /** Sent unchanged as the `Retry-After` header: seconds or an HTTP date. */
    retry_after: z.string().optional(),
    /** The vendor's error code or type. */
    code: z.string().optional(),
    /** Sends an HTML page instead of the vendor's JSON. */
    html: z.boolean().optional(),
    /** Includes the request's headers, with the key, in the error text. */
    echo: z.boolean().optional(),
  }),
  z.strictObject({ kind: z.literal('says'), text: z.string().max(100_000) }),
  z.strictObject({
    kind: z.enum([
      'hang',
      'refusal',
      'truncated',
      'invalid_json',
      'wrong_sum',
      'unknown_outcome',
      'empty',
      'connection_reset',
      'content_filter',
      'block_list_refused',
      'pause_turn',
      'no_sources',
    ]),
  }),
  /** The search tool's error code, `unavailable` if none is set. */
  z.strictObject({ kind: z.literal('tool_error'), code: z.string().max(100).optional() }),
  z.strictObject({
    kind: z.literal('finds'),
    sources: z.array(plantedSource).max(100),
    /** Text in front of the statements, cited to nothing. */
    prose: z.string().max(10_000).optional(),
    /** How many searches the answer reports, whatever the request allows. Defaults to 1. */
    searches: z.int().positive().max(100).optional(),
  }),
]);

export type Fault = z.infer<typeof faultShape>;

/**
 * Selects calls by model, stage and key; all calls if none is set. `times` limits how often the fault
 * applies.
 */
export const faultMatchShape = z.strictObject({
  model: z.enum(councilModels).optional(),
  stage: z.enum(callStages).optional(),
  /** SHA-256 of the key in hex ({@link hashKey}). */
  keyHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  times: z.int().positive().optional(),
});

export type FaultMatch = z.infer<typeof faultMatchShape>;

export const faultRuleShape = faultMatchShape.extend({ fault: faultShape });

export type FaultRule = z.infer<typeof faultRuleShape>;

/** The configured faults. If several match a call, the first one applies. */
export interface FaultList {
  add(rule: FaultRule): void;
  replaceAll(rules: readonly FaultRule[]): void;
  /** The remaining faults; `times` is the remaining count. */
  list(): readonly FaultRule[];
  /** Returns the fault for this call and decrements its `times`; null if none matches. */
  take(call: FaultyCall): Fault | null;
}

type FaultyCall = Pick<
  SimulatedCall,
  'vendor' | 'model' | 'stage' | 'keyHash' | 'blockedHosts' | 'continues'
>;

export function createFaultList(): FaultList {
  let rules: readonly FaultRule[] = [];
  return {
    add: rule => {
      rules = [...rules, rule];
    },
    replaceAll: next => {
      rules = next;
    },
    list: () => rules,
    take: call => {
      const matching = rules.find(rule => matches(rule, call));
      if (matching === undefined) return null;
      rules = rules.flatMap(rule => (rule === matching ? usedOnce(rule) : [rule]));
      return matching.fault;
    },
  };
}

function matches(rule: FaultRule, call: FaultyCall): boolean {
  const { model, stage, keyHash } = call;
  return (
    (rule.model ?? model) === model &&
    (rule.stage ?? stage) === stage &&
    (rule.keyHash ?? keyHash) === keyHash &&
    canApply(rule.fault.kind, call)
  );
}

/** A fault that a call cannot have leaves the call alone, and keeps its `times` for the next. */
function canApply(kind: Fault['kind'], call: FaultyCall): boolean {
  return conditions[kind]?.(call) ?? true;
}

const isSearch = ({ stage }: FaultyCall) => stage === 'research';
const hasSchema = ({ stage }: FaultyCall) => stage !== 'research';

const conditions: Partial<Record<Fault['kind'], (call: FaultyCall) => boolean>> = {
  invalid_json: hasSchema,
  wrong_sum: hasSchema,
  unknown_outcome: hasSchema,
  tool_error: isSearch,
  no_sources: isSearch,
  finds: isSearch,
  block_list_refused: ({ blockedHosts }) => blockedHosts.length > 0,
  pause_turn: ({ vendor, stage, continues }) => stage === 'research' && vendor === 'anthropic' && !continues,
};

function usedOnce(rule: FaultRule): FaultRule[] {
  if (rule.times === undefined) return [rule];
  return rule.times > 1 ? [{ ...rule, times: rule.times - 1 }] : [];
}

const rulesShape = z.array(faultRuleShape).max(100);

/**
 * Handles `GET`, `PUT` (replaces the list) and `DELETE` of `/simulator/faults`.
 */
export async function handleFaults(
  faults: FaultList,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'PUT') {
    const rules = rulesShape.safeParse(await readJsonBody(request).catch(() => null));
    if (!rules.success) return sendJson(response, 400, { problem: z.prettifyError(rules.error) });
    faults.replaceAll(rules.data);
  } else if (request.method === 'DELETE') {
    faults.replaceAll([]);
  } else if (request.method !== 'GET') {
    return sendJson(response, 405, { problem: 'GET, PUT or DELETE' }, { allow: 'GET, PUT, DELETE' });
  }
  sendJson(response, 200, faults.list());
}

/** A valid request with a key. The key itself is not stored. */
export interface SimulatedCall {
  /** The vendor whose API was called. */
  readonly vendor: KeyVendor;
  readonly model: CouncilModel;
  readonly stage: CallStage;
  /** SHA-256 of the key in hex ({@link hashKey}). */
  readonly keyHash: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly system: string;
  readonly user: string;
  /** The effort, budget and room that the request stated. */
  readonly limits: AnswerLimits;
  /** The hosts that a search was to leave out, as sent; empty at the other stages. */
  readonly blockedHosts: readonly string[];
  /** Whether the call has a paused answer continued. */
  readonly continues: boolean;
  readonly fault: Fault['kind'] | null;
  /** Whether the client disconnected before the complete response. */
  readonly aborted: boolean;
}
