import type { CrossReview, Opinion, Stage, Synthesis } from '../council/deliberation.js';
import type { CouncilModel } from '../council/models.js';
import type { Db } from './database.js';

/** One member's answer at one stage, as it was stored. */
export interface StoredAnswer<Answer> {
  readonly model: CouncilModel;
  readonly modelId: string;
  readonly answer: Answer;
  readonly attempts: number;
  readonly latencyMs: number;
}

export interface StoredDeliberation {
  readonly opinions: readonly StoredAnswer<Opinion>[];
  readonly reviews: readonly StoredAnswer<CrossReview>[];
  readonly syntheses: readonly StoredAnswer<Synthesis>[];
}

/**
 * Everything the members of a council said, in the order of their names. The one place where stored answers
 * get their types back: they were validated before they were written (`council/parse-*`).
 */
export async function readDeliberation(db: Db, reportId: number): Promise<StoredDeliberation> {
  const rows = await db
    .selectFrom('stage_results')
    .select(['stage', 'model', 'model_id as modelId', 'answer', 'attempts', 'latency_ms as latencyMs'])
    .where('report_id', '=', reportId)
    .orderBy('model')
    .execute();
  const at = <Answer>(stage: Stage): StoredAnswer<Answer>[] =>
    rows
      .filter(row => row.stage === stage)
      .map(({ model, modelId, answer, attempts, latencyMs }) => ({
        model,
        modelId,
        answer: answer as Answer,
        attempts,
        latencyMs,
      }));
  return { opinions: at('opinions'), reviews: at('cross_review'), syntheses: at('synthesis') };
}
