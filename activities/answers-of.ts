import type { CouncilModel } from '../council/models.js';
import type { StoredAnswer } from '../db/deliberation.js';

/** Only of those who were back in time: what came in later, though stored, was not part of the council. */
export function answersOf<Answer>(
  answers: readonly StoredAnswer<Answer>[],
  counted: readonly CouncilModel[],
): Partial<Record<CouncilModel, Answer>> {
  return Object.fromEntries(
    answers.filter(({ model }) => counted.includes(model)).map(({ model, answer }) => [model, answer]),
  );
}
