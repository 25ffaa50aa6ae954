import { z } from 'zod';
import type { Trigger } from '../deliberation/stages.js';
import type { CouncilModel } from '../models.js';
import { datePart, idsPart, itemPart, readEach } from './parts.js';

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
  const { value, problems } = readEach(triggerPart(shown), triggersMax)(given, 'triggers');
  return { triggers: value ?? [], dropped: problems, flaws: problems };
}

function triggerPart({ changes, answers, today }: ShownChanges): z.ZodType<Trigger> {
  const basisOf = (id: string) => {
    const model = answers.get(id);
    return changes.get(id) ?? (model === undefined ? null : { model, change: null });
  };
  return z
    .object({
      if: itemPart,
      by: datePart(today),
      direction: z.enum(['up', 'down'], { error: 'must be up or down' }),
      members: idsPart,
    })
    .refine(({ members }) => members.length > 0 && members.every(id => basisOf(id) !== null), {
      error: 'its members must be the ids of changes shown, such as A1',
    })
    .transform(({ members, ...trigger }) => ({
      ...trigger,
      basedOn: members.flatMap(id => basisOf(id) ?? []),
    }));
}
