import type { Db } from '../../db/database.js';
import type { SimulatedCall } from '../../simulator/faults.js';

/**
 * Calls made after the member's answer at that stage was stored: paid for twice. Compares with the
 * simulator's log, which contains calls that never reached the database. Each event must have one run only.
 */
export async function repeatedCalls(db: Db, calls: readonly SimulatedCall[]): Promise<string[]> {
  const answers = await db
    .selectFrom('stage_results as kept')
    .innerJoin('reports as report', 'report.id', 'kept.report_id')
    .select(['report.event_title as title', 'kept.stage', 'kept.model', 'kept.created_at as storedAt'])
    .execute();
  const nameOf = (title: string, stage: string, model: string) => `${stage} · ${model} · ${title}`;
  const storedAt = new Map(
    answers.map(({ title, stage, model, storedAt: at }) => [nameOf(title, stage, model), at.getTime()]),
  );
  return calls
    .map(({ user, stage, model, at }) => ({ name: nameOf(titleIn(user), stage, model), at }))
    .filter(({ name, at }) => at > (storedAt.get(name) ?? Number.POSITIVE_INFINITY))
    .map(({ name }) => name);
}

function titleIn(prompt: string): string {
  return /^Title: (.*)$/m.exec(prompt)?.[1] ?? '';
}
