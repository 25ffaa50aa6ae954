import type pg from 'pg';

/** Reads a finished report with the same SQL statements as the service and returns the rows unchanged. */
export async function bareRead(pool: pg.Pool, accountId: string, reportId: string) {
  const { rows } = await pool.query(reportSql, [accountId, reportId]);
  const [answers, market, grades, entry] = await Promise.all([
    pool.query(answersSql, [reportId]),
    pool.query(marketSql, [reportId]),
    pool.query(gradesSql, [reportId]),
    pool.query(entrySql, [reportId]),
  ]);
  return {
    ...rows[0],
    answers: answers.rows,
    market: market.rows[0],
    grade: grades.rows[0] ?? null,
    record: { seq: entry.rows[0].seq, hash: entry.rows[0].hash.toString('hex') },
  };
}

/** Reads the report's current version in the same way. */
export async function bareVersion(pool: pg.Pool, accountId: string, reportId: string) {
  const { rows } = await pool.query(versionSql, [accountId, reportId]);
  return rows[0];
}

const reportSql = `
  select report.id, report.event_id as "eventId", report.event_title as "eventTitle", report.status, report.simulated,
    report.stage, report.stage_of as "stageOf", report.queried_market as "queriedMarket", report.conclusion,
    report.dropouts, report.failure_code as failure, report.created_at as "createdAt", report.ended_at as "endedAt",
    purchase.lane, purchase.kind as bought, purchase.api_key_id as "apiKeyId"
  from report_purchases as purchase inner join reports as report on report.id = purchase.report_id
  where purchase.account_id = $1 and report.id = $2`;

const answersSql = `
  select stage, model, model_id as "modelId", answer, attempts, latency_ms as "latencyMs"
  from stage_results where report_id = $1 order by model`;

const marketSql = `
  select event_id as "eventId", seed, simulated, event, queried_market as "queriedMarket", prices_at as "pricesAt"
  from reports where id = $1`;

const gradesSql = `
  select grade.state, grade.scores, grade.grader, grade.graded_at as "gradedAt", resolution.id as "resolutionId",
    resolution.observed_at as "observedAt", resolution.outcomes
  from grades as grade inner join resolutions as resolution on resolution.id = grade.resolution_id
  where grade.report_id = $1 order by grade.resolution_id desc, grade.id desc`;

const entrySql = 'select seq, hash from record_entries where report_id = $1';

const versionSql = `
  select report.id, report.status, report.ended_at as "endedAt", purchase.kind as bought, purchase.api_key_id as "apiKeyId",
    grade.resolution_id as "resolutionId", grade.graded_at as "gradedAt"
  from report_purchases as purchase inner join reports as report on report.id = purchase.report_id
  left join lateral (
    select resolution_id, graded_at from grades
    where grades.report_id = report.id order by resolution_id desc, id desc limit 1
  ) as grade on true
  where purchase.account_id = $1 and report.id = $2`;
