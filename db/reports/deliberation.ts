import type { ExpressionBuilder } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { CrossReview, Opinion, Stage, Synthesis } from '../../council/deliberation/stages.js';
import type { CouncilModel } from '../../council/models.js';
import type { Db } from '../database.js';
import type { Database } from '../schema/schema.js';

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

interface AnswerRow extends StoredAnswer<object> {
  readonly stage: Stage;
}

const answerColumns = [
  'stage_results.stage',
  'model',
  'model_id as modelId',
  'answer',
  'attempts',
  'latency_ms as latencyMs',
] as const;

/** Everything the members of a council said, in the order of their names. */
export async function readDeliberation(db: Db, reportId: number): Promise<StoredDeliberation> {
  const rows = await db
    .selectFrom('stage_results')
    .select(answerColumns)
    .where('report_id', '=', reportId)
    .orderBy('model')
    .execute();
  return deliberationOf(rows);
}

/** The same as a column of a question about `reports`, for those who ask about the run as well. */
export function storedAnswers(eb: ExpressionBuilder<Database, 'reports'>) {
  return jsonArrayFrom(
    eb
      .selectFrom('stage_results')
      .select(answerColumns)
      .whereRef('report_id', '=', 'reports.id')
      .orderBy('model'),
  );
}

/** Whether a member has answered at a stage already: that call is paid for, and not made again. */
export function hasAnswered(said: StoredDeliberation, stage: Stage, model: CouncilModel): boolean {
  const answers = { opinions: said.opinions, cross_review: said.reviews, synthesis: said.syntheses }[stage];
  return answers.some(answer => answer.model === model);
}

/**
 * The one place where stored answers get their types back: they were validated before they were written
 * (`council/parse-*`).
 */
export function deliberationOf(rows: readonly AnswerRow[]): StoredDeliberation {
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
