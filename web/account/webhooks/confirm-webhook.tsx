import type { WebhookView } from '../../../contract/webhooks.js';
import { ConfirmDialog } from '../../shared/confirm-dialog.js';
import type { ShownSecret } from './new-secret.js';
import { useWebhookActions } from './use-webhook-actions.js';

interface ConfirmProps {
  readonly webhook: WebhookView;
  readonly onClose: () => void;
}

export function RotateSecret(props: ConfirmProps & { onSecret: (shown: ShownSecret) => void }) {
  const { webhook, onSecret, onClose } = props;
  const { rotate } = useWebhookActions(webhook);
  const show = (secret: string) => onSecret({ url: webhook.url, secret, isRotated: true });
  return (
    <ConfirmDialog
      title="Make a new secret?"
      action="Make it"
      cancel="Keep the present one"
      isPending={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate(show, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        Requests are signed with both for a day. If you make another one within it, the present secret ends at
        once.
      </p>
    </ConfirmDialog>
  );
}

export function DeleteWebhook(props: ConfirmProps & { onDeleted: () => void }) {
  const { webhook, onDeleted, onClose } = props;
  const { remove } = useWebhookActions(webhook);
  // Before the list is read again: with the webhook, this dialog is removed and cannot close.
  const finish = () => {
    onClose();
    onDeleted();
  };
  return (
    <ConfirmDialog
      title="Delete this webhook?"
      action="Delete it"
      cancel="Keep it"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(finish)}
      onClose={onClose}
    >
      <p className="any">
        Nothing more is sent to {webhook.url}, and its deliveries are deleted. You cannot undo this.
      </p>
    </ConfirmDialog>
  );
}
