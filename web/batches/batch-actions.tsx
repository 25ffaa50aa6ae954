import { type FormEvent, useState } from 'react';
import type { BatchView } from '../../contract/batches/batch-shapes.js';
import { ConfirmDialog } from '../shared/confirm-dialog.js';
import { counted } from '../shared/format.js';
import { textIn } from '../shared/read-input.js';
import { BatchFailure } from './batch-failure.js';
import { useBatchChanges } from './use-batch-changes.js';

/** The buttons that change a batch. One that has ended can only be tried again. */
export function BatchActions({ batch }: { readonly batch: BatchView }) {
  const { change, retry } = useBatchChanges(batch);
  const { status, rows } = batch;
  const isOpen = status === 'running' || status === 'paused';
  const again = rows.failed + rows.refused;
  const error = change.error ?? retry.error;
  return (
    <>
      <div className="actions">
        {isOpen ? (
          <button
            className="button"
            type="button"
            disabled={change.isPending}
            onClick={() => change.mutate({ status: status === 'paused' ? 'running' : 'paused' })}
          >
            {status === 'paused' ? 'Resume' : 'Pause'}
          </button>
        ) : null}
        {again > 0 && status !== 'cancelled' ? (
          <button
            className="button quiet"
            type="button"
            disabled={retry.isPending}
            onClick={() => retry.mutate()}
          >
            Try {counted(again, 'failed or refused row', 'failed and refused rows')} again
          </button>
        ) : null}
        {isOpen ? <Cancel batch={batch} /> : null}
      </div>
      {isOpen ? (
        <Budget
          key={batch.credits.budget}
          batch={batch}
          isPending={change.isPending}
          onChange={budget => change.mutate({ budget_credits: budget })}
        />
      ) : null}
      {error === null ? null : <BatchFailure error={error} />}
    </>
  );
}

interface BudgetProps {
  readonly batch: BatchView;
  readonly isPending: boolean;
  readonly onChange: (budgetCredits: number) => void;
}

function Budget({ batch: { credits }, isPending, onChange }: BudgetProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onChange(Number(textIn(new FormData(event.currentTarget), 'budget')));
  };
  return (
    <form className="one-line" onSubmit={submit}>
      <label>
        Budget in credits
        <input
          name="budget"
          type="number"
          inputMode="numeric"
          required
          min={Math.max(1, credits.spent)}
          step={1}
          defaultValue={credits.budget}
        />
      </label>
      <button className="button quiet" type="submit" disabled={isPending}>
        Change the budget
      </button>
    </form>
  );
}

function Cancel({ batch }: { readonly batch: BatchView }) {
  const { change } = useBatchChanges(batch);
  const [isAsked, ask] = useState(false);
  const open = () => {
    change.reset();
    ask(true);
  };
  return (
    <>
      <button className="button danger" type="button" onClick={open}>
        Cancel the batch
      </button>
      {isAsked ? (
        <ConfirmDialog
          title="Cancel this batch?"
          action="Cancel it"
          cancel="Keep it"
          isPending={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate({ status: 'cancelled' })}
          onClose={() => ask(false)}
        >
          <p>
            No further report is bought, and {counted(batch.rows.waiting, 'row')} stay without one. Reports
            that run now still end. You cannot undo this.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
