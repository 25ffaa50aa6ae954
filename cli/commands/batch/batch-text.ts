import { z } from 'zod';
import type { BatchPlanView, BatchRowView, BatchView } from '../../../contract/batches/batch-shapes.js';
import { commandLine } from '../../terminal/command-line.js';
import { Failure } from '../../terminal/failure.js';

/** Checks the id of a batch before it is sent. @throws Failure for any other text */
export function batchId(text: string): string {
  if (z.uuid().safeParse(text).success) return text;
  throw new Failure(`There is no batch with the id ${text}.`, {
    next: `See ${commandLine('batch list')}.`,
  });
}

/** One line about a batch: "running: 3 of 10 rows done, 2 running, 1 failed, 0 refused, 240 of 500 credits". */
export function batchLine(batch: BatchView): string {
  const { rows, credits } = batch;
  const done = rows.completed + rows.failed + rows.refused;
  return `${statusOf(batch)}: ${done} of ${rows.total} rows done, ${rows.running} running, ${rows.failed} failed, ${rows.refused} refused, ${credits.spent} of ${credits.budget} credits spent`;
}

/** The same, with the id and the name of the batch. */
export function namedBatchLine(batch: BatchView): string {
  const { batch_id: id, name, created_at: createdAt } = batch;
  return `${id}  ${createdAt.slice(0, 'YYYY-MM-DDTHH:MM'.length)}Z  ${name === null ? '' : `${name}, `}${batchLine(batch)}`;
}

function statusOf({ status, paused_reason, paused_member, resumes_at }: BatchView): string {
  if (paused_reason === null) return status;
  const until = resumes_at === null ? '' : ` until ${resumes_at}`;
  return `${status} (${paused_member ?? pauseReasons[paused_reason]}${until})`;
}

const pauseReasons = {
  budget: 'budget',
  balance: 'balance',
  house_limit: 'daily limit of the service',
  member: 'a member fails',
  asked: 'asked for',
} as const;

/** What the owner of a batch can do next; null if there is nothing to do. */
export function nextStep(batch: BatchView): string | null {
  const { batch_id: id, status, paused_reason, rows } = batch;
  const resume = commandLine(`batch resume ${id}`);
  switch (paused_reason) {
    case 'budget':
      return `The next report does not fit into the budget. Raise it: ${resume} --budget N`;
    case 'balance':
      return `The account cannot pay for the next report. Buy credits, then: ${resume}`;
    case 'member':
      return `The last runs failed without ${batch.paused_member ?? 'one member'}. When it answers again: ${resume}, and for the failed rows: ${commandLine(`batch retry ${id}`)}`;
    case 'asked':
      return `Go on: ${resume}`;
    case 'house_limit':
      return `It goes on by itself at ${batch.resumes_at ?? 'the next UTC day'}.`;
    case null:
      break;
  }
  if (status === 'running') return `Follow it: ${commandLine(`batch show ${id} --wait`)}`;
  if (status === 'completed' && rows.failed + rows.refused > 0)
    return `See why: ${commandLine(`batch show ${id} --rows`)}. Try them again: ${commandLine(`batch retry ${id}`)}`;
  return rows.completed > 0 ? `Its reports: ${commandLine(`batch show ${id} --rows`)}` : null;
}

/** A line a row. */
export function rowLine({ position, event_id, state, kind, report_id, credits, code }: BatchRowView): string {
  const facts = [
    state,
    ...(kind === null ? [] : [kind]),
    ...(report_id === null ? [] : [`report ${report_id}`]),
    ...(credits === 0 ? [] : [`${credits} credits`]),
    ...(code === null ? [] : [code]),
  ];
  return `${String(position).padStart(3)}  ${event_id}  ${facts.join(', ')}`;
}

/** What a batch would cost: counts by kind, credits, and each row that is not bought at once, with its reason. */
export function planLines({ rows, credits }: BatchPlanView, budget: number): string[] {
  const count = (wanted: string) => rows.filter(({ kind }) => kind === wanted).length;
  const kinds = ['fresh', 'cached', 'owned', 'refused'].map(kind => `${count(kind)} ${kind}`).join(', ');
  const part = credits.expected > budget ? ', more than the budget, which buys a part of them' : '';
  return [
    `Events  ${rows.length}: ${kinds}`,
    `Price   ${credits.expected} credits expected now, at most ${credits.at_most}${part}`,
    ...rows
      .filter(({ kind }) => kind === 'refused')
      .map(({ event_id, code }) => `Refused ${event_id}: ${code ?? 'unknown'}`),
    ...waits(rows),
  ];
}

function waits(rows: BatchPlanView['rows']): string[] {
  const counts = new Map<string, number>();
  for (const { kind, code } of rows)
    if (kind !== 'refused' && code !== undefined) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].map(([code, count]) => `Waits   ${count} rows: ${code}`);
}
