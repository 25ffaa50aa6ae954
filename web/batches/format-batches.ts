import type { BatchPlanView, BatchRowView, BatchView } from '../../contract/batches/batch-shapes.js';
import { counted, creditsText, grouped, listed, memberName, minute } from '../shared/format.js';

/** Whether the id in the path of a batch can exist. */
export const isBatchId = (id: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);

export const batchPath = (id: string) => `/batches/${id}`;

export const batchTitle = ({ name, rows }: Pick<BatchView, 'name' | 'rows'>) =>
  name ?? `Batch of ${counted(rows.total, 'report')}`;

/** The states of rows in the order in which they are shown, as adjectives. */
export const rowStates = ['waiting', 'running', 'completed', 'failed', 'refused'] as const;

/** Rows that have ended, in whichever way. */
export const rowsDone = ({ completed, failed, refused }: BatchView['rows']) => completed + failed + refused;

/** "3 waiting, 2 running and 5 completed" */
export function statesText(rows: BatchView['rows']): string {
  return listed(rowStates.filter(state => rows[state] > 0).map(state => `${grouped(rows[state])} ${state}`));
}

export const doneText = ({ rows }: Pick<BatchView, 'rows'>) =>
  `${grouped(rowsDone(rows))} of ${counted(rows.total, 'row')} done`;

export const spentText = ({ credits: { spent, budget } }: Pick<BatchView, 'credits'>) =>
  `${grouped(spent)} of ${creditsText(budget)} spent`;

/** What the batch does now, in a sentence. */
export function statusText({ status, rows }: Pick<BatchView, 'status' | 'rows'>): string {
  switch (status) {
    case 'running':
      return 'The batch is running. It continues if you leave this page.';
    case 'paused':
      return rows.running > 0
        ? 'The batch is paused. Reports that run now still end.'
        : 'The batch is paused.';
    case 'completed':
      return 'The batch is completed.';
    case 'cancelled':
      return rows.running > 0
        ? 'The batch was cancelled. Reports that run now still end.'
        : 'The batch was cancelled.';
  }
}

interface Pause {
  readonly why: string;
  readonly whatToDo: string;
}

/** Why a batch is paused and what its owner can do about it; null if it is not paused. */
export function pauseText(
  batch: Pick<BatchView, 'paused_reason' | 'paused_member' | 'resumes_at'>,
): Pause | null {
  switch (batch.paused_reason) {
    case 'budget':
      return {
        why: 'The next report does not fit into what is left of the budget.',
        whatToDo: 'Raise the budget, and the batch goes on.',
      };
    case 'balance':
      return {
        why: 'Your credits do not pay for the next report.',
        whatToDo: 'Buy credits, and then resume the batch.',
      };
    case 'house_limit':
      return {
        why: 'The service sells no more fresh reports today.',
        whatToDo:
          batch.resumes_at === null
            ? 'The batch goes on by itself tomorrow.'
            : `The batch goes on by itself on ${minute(batch.resumes_at)}.`,
      };
    case 'member':
      return {
        why: `Its last three runs failed without ${batch.paused_member === null ? 'a member' : memberName(batch.paused_member)}.`,
        whatToDo: 'Resume the batch later, and try the failed rows again.',
      };
    case 'asked':
      return { why: 'You paused it.', whatToDo: 'Resume it when you want.' };
    case null:
      return null;
  }
}

/** Why a row was refused or failed. A code that is not listed here is shown as it is. */
const reasons: Readonly<Record<string, string>> = {
  event_closed: 'the event is closed for trading',
  event_not_found: 'there is no such event',
  quote_expired: 'it costs more than the limit for one report',
  lane_unavailable: 'this way to pay is not set up',
  account_suspended: 'the account is suspended',
  insufficient_credits: 'there are not enough credits',
  house_limit_reached: 'the service sells no more fresh reports today',
  run_limit_exceeded: 'too many reports run or were run today',
  key_limit_reached_today: 'the API key has spent its credits of today',
  unavailable: 'the service is temporarily unavailable',
  quorum_lost: 'too few models gave a valid opinion',
  no_chairman: 'no model was able to write the synthesis',
  market_unavailable: 'the market could not be read',
  cancelled: 'the run was cancelled by an operator',
  abandoned: 'the run was stopped before it completed',
  internal: 'the run failed because of an internal error',
};

export const reasonText = (code: string) => reasons[code] ?? code;

export const kindNames: Readonly<Record<BatchPlanView['rows'][number]['kind'], string>> = {
  fresh: 'Fresh',
  cached: 'Cached, half price',
  owned: 'Owned, free',
  refused: 'Refused',
};

export const rowKindText = ({ kind }: Pick<BatchRowView, 'kind'>) => (kind === null ? '' : kindNames[kind]);

export interface KindCount {
  readonly kind: keyof typeof kindNames;
  readonly count: number;
  readonly credits: number;
}

/** How many rows of a plan are of each kind, and what they cost. */
export function kindCounts(rows: BatchPlanView['rows']): KindCount[] {
  const kinds = ['fresh', 'cached', 'owned', 'refused'] as const;
  return kinds.flatMap(kind => {
    const found = rows.filter(row => row.kind === kind);
    const credits = found.reduce((sum, row) => sum + row.credits, 0);
    return found.length === 0 ? [] : [{ kind, count: found.length, credits }];
  });
}
