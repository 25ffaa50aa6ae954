import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookDeliveryView, WebhookView } from '../../../contract/webhooks.js';
import { useApi } from '../../api/api.js';
import { deliveriesQuery } from '../../api/private-queries.js';
import { minute } from '../../shared/format.js';
import { ProblemNotice } from '../../shared/notice.js';
import { QueryResult } from '../../shared/query-result.js';
import { outcomeText } from './format-webhooks.js';
import { useWebhookActions } from './use-webhook-actions.js';

/** The newest deliveries to a webhook. They are read once somebody looks at them. */
export function Deliveries({ webhook }: { webhook: WebhookView }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>Deliveries</summary>
      {isOpen ? <Newest webhook={webhook} /> : null}
    </details>
  );
}

function Newest({ webhook }: { webhook: WebhookView }) {
  const query = useQuery(deliveriesQuery(useApi(), webhook.id));
  const { repeat } = useWebhookActions(webhook);
  return (
    <QueryResult query={query} what="its deliveries" keepData>
      {({ deliveries, total }) => (
        <>
          <p className="small muted" role="status">
            {total === 0
              ? 'Nothing was sent in the last 30 days.'
              : `${total} in the last 30 days, newest first.`}
          </p>
          {repeat.isError ? <ProblemNotice error={repeat.error} /> : null}
          <ol className="deliveries">
            {deliveries.map(delivery => (
              <Delivery
                key={delivery.id}
                delivery={delivery}
                canRepeat={webhook.status === 'active' && !repeat.isPending}
                onRepeat={() => repeat.mutate(delivery.id)}
              />
            ))}
          </ol>
        </>
      )}
    </QueryResult>
  );
}

interface DeliveryProps {
  readonly delivery: WebhookDeliveryView;
  readonly canRepeat: boolean;
  readonly onRepeat: () => void;
}

function Delivery({ delivery, canRepeat, onRepeat }: DeliveryProps) {
  const { id, type, created_at, attempts } = delivery;
  return (
    <li>
      <p>
        <strong>{type}</strong>, {minute(created_at)}: {outcomeText(delivery)}
        <code className="of muted any">{id}</code>
      </p>
      {attempts.length === 0 ? null : (
        <ul className="small">
          {attempts.map(({ at, status_code, error, excerpt }) => (
            <li key={at} className="any">
              {minute(at)}: {status_code ?? 'no answer'}
              {error === null ? null : ` · ${error}`}
              {excerpt === null || excerpt === '' ? null : (
                <>
                  {' '}
                  <q>{excerpt}</q>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      <button className="button quiet small" type="button" disabled={!canRepeat} onClick={onRepeat}>
        Send again<span className="unseen">: {id}</span>
      </button>
    </li>
  );
}
