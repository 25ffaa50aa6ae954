import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { type Stage, stages } from '../../council/deliberation/stages.js';
import { type CouncilModel, councilModels, type KeyVendor } from '../../council/models.js';
import { readJsonBody, sendJson } from './wire.js';

/** What can go wrong with one answer. README.md says what each looks like at each vendor. */
export const faultShape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('latency'), ms: z.int().nonnegative().max(600_000) }),
  z.strictObject({
    kind: z.literal('http'),
    status: z.int().min(200).max(599),
    /** Sent as the `Retry-After` header as it stands: seconds or an HTTP date. */
    retry_after: z.string().optional(),
    /** The vendor's error code or type. */
    code: z.string().optional(),
    /** An HTML page in place of the vendor's JSON. */
    html: z.boolean().optional(),
    /** The error's text repeats the headers of the request, the key among them. */
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

/** Which calls a fault strikes: those of one model, one stage, one key, or any of them; for ever or so many times. */
export const faultMatchShape = z.strictObject({
  model: z.enum(councilModels).optional(),
  stage: z.enum(stages).optional(),
  /** What `hash-key` makes of the key. */
  keyHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  times: z.int().positive().optional(),
});

export type FaultMatch = z.infer<typeof faultMatchShape>;

export const faultRuleShape = faultMatchShape.extend({ fault: faultShape });

export type FaultRule = z.infer<typeof faultRuleShape>;

/** The faults that are set. Of several that match a call, the one set first strikes. */
export interface FaultList {
  add(rule: FaultRule): void;
  replaceAll(rules: readonly FaultRule[]): void;
  /** What is still to strike; `times` counts what is left. */
  list(): readonly FaultRule[];
  /** The fault of this call, used up by one; null when it is to go well. */
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
      const struck = rules.find(rule => matches(rule, call));
      if (struck === undefined) return null;
      rules = rules.flatMap(rule => (rule === struck ? usedOnce(rule) : [rule]));
      return struck.fault;
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

/** `GET`, `PUT` (the whole list) and `DELETE /simulator/faults`: faults set by hand while the simulator runs. */
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

/** A question that reached the simulator, in the vendor's format and with a key. Keys are not kept. */
export interface SimulatedCall {
  /** Whose API it came in by. */
  readonly vendor: KeyVendor;
  readonly model: CouncilModel;
  readonly stage: Stage;
  /** Of the key it came with: what `hash-key` makes of it. */
  readonly keyHash: string;
  /** Epoch milliseconds at which it was read. */
  readonly at: number;
  readonly system: string;
  readonly user: string;
  readonly fault: Fault['kind'] | null;
  /** True once the client has gone away without its whole answer. */
  readonly aborted: boolean;
}
