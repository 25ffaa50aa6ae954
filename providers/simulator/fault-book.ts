import type { Stage } from '../../council/deliberation.js';
import type { CouncilModel } from '../../council/models.js';
import type { Fault, FaultRule } from './fault.js';

/** The faults that are set. Of several that match a call, the one set first strikes. */
export interface FaultBook {
  add(rule: FaultRule): void;
  replaceAll(rules: readonly FaultRule[]): void;
  /** What is still to strike; `times` counts what is left. */
  list(): readonly FaultRule[];
  /** The fault of this call, used up by one; null when it is to go well. */
  take(model: CouncilModel, stage: Stage): Fault | null;
}

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
    take: (model, stage) => {
      const struck = rules.find(rule => matches(rule, model, stage));
      if (struck === undefined) return null;
      rules = rules.flatMap(rule => (rule === struck ? usedOnce(rule) : [rule]));
      return struck.fault;
    },
  };
}

function matches(rule: FaultRule, model: CouncilModel, stage: Stage): boolean {
  return (rule.model ?? model) === model && (rule.stage ?? stage) === stage;
}

function usedOnce(rule: FaultRule): FaultRule[] {
  if (rule.times === undefined) return [rule];
  return rule.times > 1 ? [{ ...rule, times: rule.times - 1 }] : [];
}
