import { sql } from 'kysely';
import { confidenceOf } from '../../../council/answers/grounds.js';
import { type ConcludeInput, conclude } from '../../../council/conclusion/conclude.js';
import type { Dropout } from '../../../council/deliberation/members.js';
import type { Opinion, Stage } from '../../../council/deliberation/stages.js';
import { assembleEvidence } from '../../../council/evidence/assemble-evidence.js';
import type { Conclusion } from '../../../council/report.js';
import type { Db } from '../../../db/database.js';
import { hashedEvidence } from '../../../db/digests.js';
import type { StoredAnswer } from '../../../db/reports/deliberation.js';
import { readRunAndDeliberation } from '../../../db/reports/run.js';
import { nextQuote, type WindowedQuote } from '../../../purchase/quote.js';
import { gradeForecast } from '../../../record/grades/grade.js';
import { parseRecordedForecast } from '../../../record/parse-recorded-forecast.js';
import { freezeForecast } from '../../../record/recorded-forecast.js';

/** Computes every stored number again from its stored input. @returns what differs, by a byte or more */
export async function redoNumbers(db: Db): Promise<{ redone: Redone; differences: string[] }> {
  const reports = await redoReports(db);
  const grades = await redoGrades(db);
  const quotes = await redoQuotes(db);
  return {
    redone: { reports: reports.length, grades: grades.length, quotes: quotes.length },
    differences: [...reports, ...grades, ...quotes].filter(difference => difference !== null),
  };
}

interface Redone {
  readonly reports: number;
  readonly grades: number;
  readonly quotes: number;
}

/** The conclusion and the recorded forecast of each completed report, from its answers, prices and dropouts. */
async function redoReports(db: Db): Promise<(string | null)[]> {
  const { rows } = await sql<{
    id: number;
    conclusion: string;
    dropouts: Dropout[];
    ended_at: Date;
    payload: string;
  }>`
    select id, conclusion::text, dropouts, ended_at, payload from reports
    join record_entries on report_id = id and kind = 'completed' order by id`.execute(db);
  const differences: (string | null)[] = [];
  for (const { id, conclusion: stored, dropouts, ended_at: endedAt, payload } of rows) {
    const run = await readRunAndDeliberation(db, id);
    const { event, pricesAt, queriedMarket, simulated, deliberation } = run;
    if (event === null || pricesAt === null || queriedMarket === null)
      throw new Error(`report ${id} has no market`);
    const arrived = <Answer>(answers: readonly StoredAnswer<Answer>[], stage: Stage) =>
      answers.filter(({ model }) => !dropouts.some(lost => lost.model === model && lost.stage === stage));
    const answersOf = <Answer>(answers: readonly StoredAnswer<Answer>[], stage: Stage) =>
      Object.fromEntries(arrived(answers, stage).map(({ model, answer }) => [model, answer]));
    const [chairman] = arrived(deliberation.syntheses, 'synthesis');
    if (chairman === undefined) throw new Error(`report ${id} has no synthesis`);
    const { runtime }: Conclusion = JSON.parse(stored);
    const input: ConcludeInput = {
      method: runtime.method.name === 'council/1' ? 'council/1' : 'council/2',
      weights: runtime.estimate && { ...runtime.estimate.weights, kind: runtime.estimate.method },
      event,
      pricesAt: pricesAt.toISOString(),
      quoteAgeSeconds: (endedAt.getTime() - pricesAt.getTime()) / 1_000,
      queriedMarket,
      opinions: answersOf(deliberation.opinions, 'opinions'),
      reviews: answersOf(deliberation.reviews, 'cross_review'),
      evidence: redoEvidence(run, pricesAt, stored),
      dropouts,
      chairman: chairman.model,
      simulated,
    };
    const conclusion = conclude(input);
    const { prompt_sha256, answers_sha256, market_sha256 } = JSON.parse(payload);
    const forecast = freezeForecast({
      reportId: id,
      input,
      conclusion,
      modelIds: Object.fromEntries(
        arrived(deliberation.opinions, 'opinions').map(({ model, modelId }) => [model, modelId]),
      ),
      promptSha256: prompt_sha256,
      completedAt: endedAt.toISOString(),
    });
    const isSame =
      arrived(deliberation.opinions, 'opinions').every(({ answer }) => followsFromRange(answer)) &&
      JSON.stringify(conclusion) === stored &&
      JSON.stringify({ ...forecast, answers_sha256, market_sha256 }) === payload;
    differences.push(isSame ? null : `report ${id} is computed differently`);
  }
  return differences;
}

/** The confidence of a member that gave a range is no number of its own. */
function followsFromRange({ confidence, grounds }: Opinion): boolean {
  const range = grounds?.range ?? null;
  return range === null || confidence === confidenceOf(range);
}

/** Assembles the evidence again from what the searches returned. Null if the report states none. */
function redoEvidence(
  { event, seed, deliberation }: Awaited<ReturnType<typeof readRunAndDeliberation>>,
  pricesAt: Date,
  stored: string,
): ConcludeInput['evidence'] {
  const { evidence }: Conclusion = JSON.parse(stored);
  if (evidence === null || event === null) return null;
  const counted = deliberation.research.filter(({ model }) => evidence.failures[model] === undefined);
  const research = Object.fromEntries(counted.map(({ model, answer }) => [model, answer]));
  const asOf = pricesAt.toISOString();
  return hashedEvidence(
    assembleEvidence({ event, asOf, seed, research, failures: evidence.failures }).evidence,
  );
}

async function redoGrades(db: Db): Promise<(string | null)[]> {
  const { rows } = await sql<{
    id: number;
    state: string;
    scores: string | null;
    payload: string;
    outcomes: any;
  }>`
    select grades.id, state, scores::text, payload, outcomes from grades
    join record_entries using (report_id) join resolutions on resolutions.id = resolution_id
    where record_entries.kind = 'completed' order by grades.id`.execute(db);
  return rows.map(({ id, state, scores, payload, outcomes }) => {
    const forecast = parseRecordedForecast(payload);
    const grade = forecast === null ? 'pending' : gradeForecast(forecast, outcomes);
    const isSame =
      grade !== 'pending' &&
      grade.state === state &&
      (grade.scores === null ? null : JSON.stringify(grade.scores)) === scores;
    return isSame ? null : `grade ${id} is computed differently`;
  });
}

async function redoQuotes(db: Db): Promise<(string | null)[]> {
  const rows = await db.selectFrom('quotes').selectAll().orderBy('simulated').orderBy('id').execute();
  let before: WindowedQuote | null = null;
  let ofSimulated: boolean | null = null;
  const differences: (string | null)[] = [];
  for (const row of rows) {
    if (row.simulated !== ofSimulated) before = null;
    ofSimulated = row.simulated;
    const next: WindowedQuote = nextQuote(before, {
      costUsdMicros: row.cost_usd_micros,
      completedAt: row.created_at,
    });
    const stored = {
      freshCredits: row.fresh_credits,
      estimateUsdMicros: row.estimate_usd_micros,
      windowBeganAt: row.window_began_at,
      windowCredits: row.window_credits,
    };
    differences.push(
      JSON.stringify(next) === JSON.stringify(stored) ? null : `quote ${row.id} is computed differently`,
    );
    before = next;
  }
  return differences;
}
