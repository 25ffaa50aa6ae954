import type { Db } from '../../db/database.js';
import type { SimulatedCall } from '../../providers/simulator/faults.js';

/**
 * Calls that a member was asked after its answer at that stage was stored: paid for twice. Held against the simulator's own log,
 * which knows calls that no database heard of. Each event must have been run once.
 */
export async function askedAgain(db: Db, calls: readonly SimulatedCall[]): Promise<string[]> {
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
