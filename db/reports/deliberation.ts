import type { ExpressionBuilder } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type {
  CallStage,
  CrossReview,
  MarketGapReasons,
  Opinion,
  Synthesis,
} from '../../council/deliberation/stages.js';
import type { Research } from '../../council/evidence/research.js';
import type { CouncilModel } from '../../council/models.js';
import type { Db } from '../database.js';
import type { Database } from '../schema/schema.js';

/** One member's stored answer at one stage. */
export interface StoredAnswer<Answer> {
  readonly model: CouncilModel;
  readonly modelId: string;
  readonly answer: Answer;
  readonly attempts: number;
  readonly latencyMs: number;
}

export interface StoredDeliberation {
  readonly research: readonly StoredAnswer<Research>[];
  readonly opinions: readonly StoredAnswer<Opinion>[];
  readonly reviews: readonly StoredAnswer<CrossReview>[];
  readonly syntheses: readonly StoredAnswer<Synthesis>[];
  readonly marketGaps: readonly StoredAnswer<MarketGapReasons>[];
}

interface AnswerRow extends StoredAnswer<object> {
  readonly stage: CallStage;
}

const answerColumns = [
  'stage_results.stage',
  'model',
  'model_id as modelId',
  'answer',
  'attempts',
  'latency_ms as latencyMs',
] as const;

/** All stored answers of a report, ordered by model name. */
export async function readDeliberation(db: Db, reportId: number): Promise<StoredDeliberation> {
  const rows = await db
    .selectFrom('stage_results')
    .select(answerColumns)
    .where('report_id', '=', reportId)
    .orderBy('model')
    .execute();
  return deliberationOf(rows);
}

/** The same as a JSON column of a query on `reports`, for queries that read the run as well. */
export function storedAnswers(eb: ExpressionBuilder<Database, 'reports'>) {
  return jsonArrayFrom(
    eb
      .selectFrom('stage_results')
      .select(answerColumns)
      .whereRef('report_id', '=', 'reports.id')
      .orderBy('model'),
  );
}

/** Whether a member's answer at a stage is stored. If so, the call was paid for and is not repeated. */
export function hasAnswered(stored: StoredDeliberation, stage: CallStage, model: CouncilModel): boolean {
  const { research, opinions, reviews, syntheses, marketGaps } = stored;
  const answers = {
    research,
    opinions,
    cross_review: reviews,
    synthesis: syntheses,
    market_gap: marketGaps,
  }[stage];
  return answers.some(answer => answer.model === model);
}

/**
 * Gives stored answers their types back. They were validated by `council/answers/` before they were written.
 */
export function deliberationOf(rows: readonly AnswerRow[]): StoredDeliberation {
  const at = <Answer>(stage: CallStage): StoredAnswer<Answer>[] =>
    rows
      .filter(row => row.stage === stage)
      .map(({ model, modelId, answer, attempts, latencyMs }) => ({
        model,
        modelId,
        answer: answer as Answer,
        attempts,
        latencyMs,
      }));
  return {
    research: at('research'),
    opinions: at('opinions'),
    reviews: at('cross_review'),
    syntheses: at('synthesis'),
    marketGaps: at('market_gap'),
  };
}
