import { z } from 'zod';
import type { Trigger } from '../deliberation/stages.js';
import type { CouncilModel } from '../models.js';
import { datePart, idsPart, itemPart, pastProblem, readEach } from './parts.js';

/** The possible changes that the chairman was shown, by their ids (`A1` is the first of answer A), and the day. */
export interface ShownChanges {
  readonly changes: ReadonlyMap<string, { readonly model: CouncilModel; readonly change: number }>;
  /** The letters of the answers: a trigger may also name an answer as a whole. */
  readonly answers: ReadonlyMap<string, CouncilModel>;
  /** `YYYY-MM-DD`, UTC. */
  readonly today: string;
}

export interface ReadTriggers {
  readonly triggers: readonly Trigger[];
  readonly dropped: readonly string[];
  readonly flaws: readonly string[];
}

const triggersMax = 5;

/** Reads the triggers one by one: an invalid one is a flaw, and is left out. */
export function readTriggers(given: unknown, shown: ShownChanges): ReadTriggers {
  if (given === undefined) return { triggers: [], dropped: ['triggers: were not given'], flaws: [] };
  const { changes, answers, today } = shown;
  const basisOf = (id: string) => {
    const model = answers.get(id);
    return changes.get(id) ?? (model === undefined ? null : { model, change: null });
  };
  const read = readEach(triggerPart, triggersMax, ({ by, members }) =>
    members.length > 0 && members.every(id => basisOf(id) !== null)
      ? pastProblem(by, today)
      : 'its members must be the ids of changes shown, such as A1',
  );
  const { value, problems } = read(given, 'triggers');
  const triggers = (value ?? []).map(({ members, ...trigger }) => ({
    ...trigger,
    basedOn: members.flatMap(id => basisOf(id) ?? []),
  }));
  return { triggers, dropped: problems, flaws: problems };
}

const triggerPart = z.object({
  if: itemPart,
  by: datePart,
  direction: z.enum(['up', 'down'], { error: 'must be up or down' }),
  members: idsPart,
});
