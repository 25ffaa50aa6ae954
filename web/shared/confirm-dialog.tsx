import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { ProblemNotice } from './notice.js';

interface ConfirmDialogProps {
  readonly title: string;
  /** What the action does. */
  readonly children: ReactNode;
  /** Label of the button that confirms. */
  readonly action: string;
  /** Label of the button that closes the dialog without doing anything. */
  readonly cancel: string;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks for confirmation before an action that cannot be undone. Open while rendered. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, cancel, isPending, error, onConfirm, onClose } = props;
  const titleId = useId();
  const dialogRef = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = dialogRef.current;
    dialog?.showModal();
    // Closing the dialog returns the focus to where it was; removing it would not.
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={dialogRef} className="confirm" aria-labelledby={titleId} onClose={onClose}>
      <h2 id={titleId}>{title}</h2>
      {children}
      {error === null || error === undefined ? null : <ProblemNotice error={error} />}
      <div className="row">
        <button className="button quiet" type="button" onClick={onClose}>
          {cancel}
        </button>
        <button className="button danger" type="button" disabled={isPending} onClick={onConfirm}>
          {action}
        </button>
      </div>
    </dialog>
  );
}
