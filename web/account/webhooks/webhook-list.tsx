import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { webhooksPerAccount } from '../../../contract/product.js';
import type { WebhookView } from '../../../contract/webhooks.js';
import { useApi } from '../../api/api.js';
import { webhooksQuery } from '../../api/private-queries.js';
import { useFocusOn } from '../../shared/hooks.js';
import { QueryResult } from '../../shared/query-result.js';
import type { ShownSecret } from './new-secret.js';
import { WebhookCard } from './webhook-card.js';

/** The webhooks of the account, each with what can be done with it. */
export function WebhookList({ onSecret }: { onSecret: (shown: ShownSecret) => void }) {
  const query = useQuery(webhooksQuery(useApi()));
  const [deleted, setDeleted] = useState<WebhookView | null>(null);
  // The button that had the focus is removed together with its webhook.
  const headingRef = useFocusOn<HTMLHeadingElement>(deleted);
  return (
    <section className="part" aria-labelledby="your-webhooks">
      <h2 id="your-webhooks" ref={headingRef} tabIndex={-1}>
        Your webhooks
      </h2>
      <p role="status" className={deleted === null ? 'unseen' : 'any'}>
        {deleted === null ? null : `Nothing more is sent to ${deleted.url}.`}
      </p>
      <QueryResult query={query} what="your webhooks" keepData>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <p>You have no webhooks.</p>
          ) : (
            <>
              <p className="muted">
                {webhooks.length} of at most {webhooksPerAccount}.
              </p>
              {webhooks.map(webhook => (
                <WebhookCard
                  key={webhook.id}
                  webhook={webhook}
                  onSecret={onSecret}
                  onDeleted={() => setDeleted(webhook)}
                />
              ))}
            </>
          )
        }
      </QueryResult>
    </section>
  );
}
