import { useState } from 'react';
import type { WebhookView } from '../../../contract/webhooks.js';
import { useFocusOn } from '../../shared/hooks.js';
import { ProblemNotice } from '../../shared/notice.js';
import { DeleteWebhook, RotateSecret } from './confirm-webhook.js';
import { Deliveries } from './deliveries.js';
import { stateText } from './format-webhooks.js';
import type { ShownSecret } from './new-secret.js';
import { useWebhookActions } from './use-webhook-actions.js';
import { WebhookForm } from './webhook-form.js';

interface WebhookCardProps {
  readonly webhook: WebhookView;
  readonly onSecret: (shown: ShownSecret) => void;
  readonly onDeleted: () => void;
}

/** One webhook: what it is sent, whether it works, and the buttons that change it. */
export function WebhookCard({ webhook, onSecret, onDeleted }: WebhookCardProps) {
  const { id, url, types, description } = webhook;
  const [isEditing, setEditing] = useState(false);
  const [saved, setSaved] = useState<WebhookView | null>(null);
  const headingRef = useFocusOn<HTMLHeadingElement>(saved);
  const finish = () => {
    setEditing(false);
    setSaved({ ...webhook });
  };
  return (
    <section className="card webhook" aria-labelledby={`webhook-${id}`}>
      <h3 id={`webhook-${id}`} ref={headingRef} tabIndex={-1} className="any">
        {url}
      </h3>
      {isEditing ? (
        <EditWebhook webhook={webhook} onClose={finish} />
      ) : (
        <>
          {description === null ? null : <p className="any">{description}</p>}
          <p role="status">{stateText(webhook)}</p>
          <p className="small muted">Sent: {types.join(', ')}</p>
          <Actions
            webhook={webhook}
            onEdit={() => setEditing(true)}
            onSecret={onSecret}
            onDeleted={onDeleted}
          />
        </>
      )}
      <Deliveries webhook={webhook} />
    </section>
  );
}

function EditWebhook({ webhook, onClose }: { webhook: WebhookView; onClose: () => void }) {
  const { change } = useWebhookActions(webhook);
  const { url, types, description } = webhook;
  return (
    <WebhookForm
      initial={{ url, types, description: description ?? '' }}
      isPending={change.isPending}
      error={change.error}
      autoFocus
      onSubmit={fields =>
        change.mutate(
          { ...fields, description: fields.description === '' ? null : fields.description },
          { onSuccess: onClose },
        )
      }
    >
      <button className="button" type="submit" disabled={change.isPending}>
        Save
      </button>
      <button className="button quiet" type="button" onClick={onClose}>
        Keep it as it was
      </button>
    </WebhookForm>
  );
}

interface ActionsProps extends WebhookCardProps {
  readonly onEdit: () => void;
}

function Actions({ webhook, onEdit, onSecret, onDeleted }: ActionsProps) {
  const { test, change } = useWebhookActions(webhook);
  const [asked, ask] = useState<'rotate' | 'delete' | null>(null);
  const isActive = webhook.status === 'active';
  const close = () => ask(null);
  return (
    <div className="row">
      <Act
        text="Send a test"
        of={webhook}
        isOff={!isActive || test.isPending}
        onClick={() => test.mutate()}
      />
      <Act text="Edit" of={webhook} onClick={onEdit} />
      <Act
        text={isActive ? 'Disable' : 'Enable'}
        of={webhook}
        isOff={change.isPending}
        onClick={() => change.mutate({ status: isActive ? 'disabled' : 'active' })}
      />
      <Act text="New secret" of={webhook} onClick={() => ask('rotate')} />
      <Act text="Delete" of={webhook} isDangerous onClick={() => ask('delete')} />
      {test.isError ? <ProblemNotice error={test.error} /> : null}
      {change.isError ? <ProblemNotice error={change.error} /> : null}
      {asked === 'rotate' ? <RotateSecret webhook={webhook} onSecret={onSecret} onClose={close} /> : null}
      {asked === 'delete' ? <DeleteWebhook webhook={webhook} onDeleted={onDeleted} onClose={close} /> : null}
    </div>
  );
}

interface ActProps {
  readonly text: string;
  /** Completes the label of the button for screen readers. */
  readonly of: WebhookView;
  readonly isOff?: boolean;
  readonly isDangerous?: boolean;
  readonly onClick: () => void;
}

function Act({ text, of: { url }, isOff = false, isDangerous = false, onClick }: ActProps) {
  return (
    <button
      className={`button small ${isDangerous ? 'danger' : 'quiet'}`}
      type="button"
      disabled={isOff}
      onClick={onClick}
    >
      {text}
      <span className="unseen">: {url}</span>
    </button>
  );
}
