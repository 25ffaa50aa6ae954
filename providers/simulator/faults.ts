import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { type Stage, stages } from '../../council/deliberation/stages.js';
import { type CouncilModel, councilModels, type KeyVendor } from '../../council/models.js';
import type { AnswerLimits } from '../answer-limits.js';
import { readJsonBody, sendJson } from './wire.js';

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
    ]),
  }),
]);

export type Fault = z.infer<typeof faultShape>;

/**
 * Selects calls by model, stage and key; all calls if none is set. `times` limits how often the fault
 * applies.
 */
export const faultMatchShape = z.strictObject({
  model: z.enum(councilModels).optional(),
  stage: z.enum(stages).optional(),
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

type FaultyCall = Pick<SimulatedCall, 'model' | 'stage' | 'keyHash'>;

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

function matches(rule: FaultRule, { model, stage, keyHash }: FaultyCall): boolean {
  return (
    (rule.model ?? model) === model &&
    (rule.stage ?? stage) === stage &&
    (rule.keyHash ?? keyHash) === keyHash
  );
}

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
  readonly stage: Stage;
  /** SHA-256 of the key in hex ({@link hashKey}). */
  readonly keyHash: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly system: string;
  readonly user: string;
  /** The effort, budget and room that the request stated. */
  readonly limits: AnswerLimits;
  readonly fault: Fault['kind'] | null;
  /** Whether the client disconnected before the complete response. */
  readonly aborted: boolean;
}
