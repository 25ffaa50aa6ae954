import type { Fault, FaultRule } from './fault.js';
import type { SimulatedCall } from './simulated-call.js';

/** The faults that are set. Of several that match a call, the one set first strikes. */
export interface FaultBook {
  add(rule: FaultRule): void;
  replaceAll(rules: readonly FaultRule[]): void;
  /** What is still to strike; `times` counts what is left. */
  list(): readonly FaultRule[];
  /** The fault of this call, used up by one; null when it is to go well. */
  take(call: FaultyCall): Fault | null;
}

type FaultyCall = Pick<SimulatedCall, 'model' | 'stage' | 'keyHash'>;

export function createFaultBook(): FaultBook {
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
