import type { FormEvent, ReactNode } from 'react';
import type { WebhookView } from '../../../contract/webhooks.js';
import { CouncilProblem } from '../../api/api.js';
import { Notice, ProblemNotice } from '../../shared/notice.js';
import { textIn } from '../../shared/read-input.js';
import { offeredTypes } from './format-webhooks.js';

/** What a submitted form says of a webhook. */
export interface WebhookFields {
  readonly url: string;
  readonly types: WebhookView['types'];
  readonly description: string;
}

interface WebhookFormProps {
  /** What the form begins with. Types that it does not offer are kept. */
  readonly initial: WebhookFields;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly autoFocus: boolean;
  readonly onSubmit: (fields: WebhookFields) => void;
  /** The buttons. */
  readonly children: ReactNode;
}

const urlMaxChars = 2_000;
const descriptionMaxChars = 200;

export function WebhookForm(props: WebhookFormProps) {
  const { initial, error, autoFocus, onSubmit, children } = props;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(fieldsIn(new FormData(event.currentTarget), initial));
  };
  return (
    <form className="one-line" onSubmit={submit}>
      <label className="grow">
        Address
        <input
          name="url"
          type="url"
          autoComplete="off"
          autoFocus={autoFocus}
          required
          maxLength={urlMaxChars}
          defaultValue={initial.url}
          placeholder="https://hooks.example.com/council"
        />
      </label>
      <label className="grow">
        What it is for (optional)
        <input
          name="description"
          type="text"
          autoComplete="off"
          maxLength={descriptionMaxChars}
          defaultValue={initial.description}
        />
      </label>
      <fieldset className="whole choices">
        <legend>Send a request when</legend>
        {Object.entries(offeredTypes).map(([type, text]) => (
          <label key={type}>
            <input
              name="types"
              type="checkbox"
              value={type}
              defaultChecked={initial.types.some(each => each === type)}
            />{' '}
            {text}
          </label>
        ))}
      </fieldset>
      {children}
      {error === null ? null : <Failure error={error} />}
    </form>
  );
}

function fieldsIn(form: FormData, initial: WebhookFields): WebhookFields {
  const chosen = new Set(form.getAll('types'));
  const offered = Object.keys(offeredTypes);
  const kept = initial.types.filter(type => !offered.includes(type));
  const types = knownTypes.filter(type => chosen.has(type));
  return {
    url: textIn(form, 'url'),
    description: textIn(form, 'description').trim(),
    types: [...types, ...kept],
  };
}

const knownTypes = ['report.completed', 'report.failed', 'report.graded', 'balance.low'] as const;

/** What the API says of the first invalid field is a sentence for people. */
function Failure({ error }: { error: unknown }) {
  const [first] = error instanceof CouncilProblem ? (error.errors ?? []) : [];
  if (first === undefined) return <ProblemNotice error={error} />;
  const text = first.pointer === '#/types' ? 'Choose at least one occasion.' : first.detail;
  return <Notice tone="bad">{text}</Notice>;
}
