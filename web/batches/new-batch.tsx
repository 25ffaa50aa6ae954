import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import { laneNames } from '../event/purchase/format-offer.js';
import { Notice } from '../shared/notice.js';
import { textIn } from '../shared/read-input.js';
import { BatchFailure } from './batch-failure.js';
import { BatchPlan } from './batch-plan.js';
import { readEventIds } from './read-event-ids.js';
import { type BatchRequest, useCreateBatch, usePlan } from './use-new-batch.js';

/** Asks for events and a budget, and says what they would cost before anything is bought. */
export function NewBatch() {
  const plan = usePlan();
  // It keeps the key of a purchase whose answer was lost while the form is changed and changed back.
  const creation = useCreateBatch();
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const found = readEventIds(textIn(form, 'events'));
    setProblem(found.problem);
    if (found.ids !== null) plan.mutate(requestOf(form, found.ids));
  };
  // A price is shown only of what the form says.
  const forget = () => {
    setProblem(null);
    plan.reset();
    if (!creation.isPending) creation.reset();
  };
  return (
    <section aria-labelledby="new-batch">
      <h2 id="new-batch">New batch</h2>
      <form className="new-batch" onSubmit={submit} onChange={forget}>
        <EventsField />
        <div className="one-line">
          <NumberField name="budget_credits" text="Budget in credits" required />
          <label className="grow">
            Pay with
            <select name="lane" defaultValue="credits">
              <option value="credits">{laneNames.credits}</option>
              <option value="byok">{laneNames.byok}</option>
            </select>
          </label>
        </div>
        <Limits />
        <p>
          <button className="button" type="submit" disabled={plan.isPending}>
            {plan.isPending ? 'Asking …' : 'Show the price'}
          </button>{' '}
          <small className="muted">Nothing is bought yet.</small>
        </p>
        {problem === null ? null : <Notice tone="bad">{problem}</Notice>}
        {plan.isError ? <BatchFailure error={plan.error} events={plan.variables.events} /> : null}
      </form>
      {plan.data === undefined ? null : <BatchPlan planned={plan.data} creation={creation} />}
    </section>
  );
}

/** A file is read here and not sent: its text replaces that of the field. */
function EventsField() {
  const fieldRef = useRef<HTMLTextAreaElement>(null);
  const read = async ({ currentTarget: { files } }: ChangeEvent<HTMLInputElement>) => {
    const text = await files?.[0]?.text();
    if (text === undefined || fieldRef.current === null) return;
    fieldRef.current.value = readEventIds(text).ids?.join('\n') ?? text;
  };
  return (
    <>
      <label>
        Ids of events, one a line
        <textarea
          ref={fieldRef}
          name="events"
          rows={6}
          required
          autoComplete="off"
          spellCheck={false}
          aria-describedby="events-note"
        />
      </label>
      <label>
        Or a file with them
        <input type="file" accept=".txt,.csv,.ndjson,.jsonl,text/*" onChange={event => void read(event)} />
      </label>
      <p id="events-note" className="muted small">
        The id of an event is in the address of its page. A file has one id a line, or it is CSV with a column{' '}
        <code>event_id</code> or NDJSON with <code>event_id</code>. It is read on your device.
      </p>
    </>
  );
}

function Limits() {
  return (
    <details className="more">
      <summary>Name and limits (optional)</summary>
      <div className="one-line">
        <label className="grow">
          Name
          <input name="name" type="text" autoComplete="off" />
        </label>
        <NumberField name="max_credits_each" text="Most credits for one report" />
        <NumberField name="min_members" text="Fewest valid opinions" />
        <NumberField name="max_in_flight" text="Most reports that run at once" />
      </div>
    </details>
  );
}

interface NumberFieldProps {
  readonly name: string;
  readonly text: string;
  readonly required?: boolean;
}

function NumberField({ name, text, required = false }: NumberFieldProps) {
  return (
    <label className="grow">
      {text}
      <input name={name} type="number" inputMode="numeric" min={1} step={1} required={required} />
    </label>
  );
}

const optionalNumbers = ['max_credits_each', 'min_members', 'max_in_flight'] as const;

function requestOf(form: FormData, events: readonly string[]): BatchRequest {
  const name = textIn(form, 'name').trim();
  const limits = optionalNumbers.flatMap(field => {
    const text = textIn(form, field);
    return text === '' ? [] : [[field, Number(text)] as const];
  });
  return {
    ...(name === '' ? {} : { name }),
    events,
    lane: textIn(form, 'lane') === 'byok' ? 'byok' : 'credits',
    budget_credits: Number(textIn(form, 'budget_credits')),
    ...Object.fromEntries(limits),
  };
}
