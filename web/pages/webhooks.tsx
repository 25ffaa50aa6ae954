import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import { MembersOnly } from '../account/members-only.js';
import { CreateWebhook } from '../account/webhooks/create-webhook.js';
import { NewSecret, type ShownSecret } from '../account/webhooks/new-secret.js';
import { WebhookList } from '../account/webhooks/webhook-list.js';

export function WebhooksPage() {
  return (
    <div className="account">
      <h1>Webhooks</h1>
      <MembersOnly>
        <p>
          The service sends a signed request to your address when a report ends or is graded, so that your
          program need not ask. <Link to="/keys">Keys</Link> buy and read the reports.{' '}
          <a href="/docs#create-webhook">See the API reference</a>
        </p>
        <Webhooks />
      </MembersOnly>
    </div>
  );
}

/** A new secret is held only in the state of this component: not in the address, and not in the query cache. */
function Webhooks() {
  const [shown, show] = useState<ShownSecret | null>(null);
  const [isNext, setNext] = useState(false);
  const done = () => {
    setNext(true);
    show(null);
  };
  useEffect(() => {
    // Browsers may show the page again as it was left. The secret must not be on it then.
    const forget = () => flushSync(() => show(null));
    window.addEventListener('pagehide', forget);
    return () => window.removeEventListener('pagehide', forget);
  }, []);
  return (
    <>
      {shown === null ? (
        <CreateWebhook onCreated={show} isNext={isNext} />
      ) : (
        <NewSecret shown={shown} onDone={done} />
      )}
      <WebhookList onSecret={show} />
    </>
  );
}
