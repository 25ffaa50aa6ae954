import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { ProblemNotice } from './notice.js';

interface ConfirmDialogProps {
  readonly title: string;
  /** What will happen, and what will not. */
  readonly children: ReactNode;
  /** What the button that does it says. */
  readonly action: string;
  /** What the button that does not do it says. */
  readonly otherwise: string;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asked before something that cannot be undone. Open for as long as it is rendered; Escape means no. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, otherwise, isPending, error, onConfirm, onClose } = props;
  const titleId = useId();
  const dialogRef = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = dialogRef.current;
    dialog?.showModal();
    // Closed and not only taken away: closing is what gives the focus back to where it was.
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={dialogRef} className="confirm" aria-labelledby={titleId} onClose={onClose}>
      <h2 id={titleId}>{title}</h2>
      {children}
      {error === null || error === undefined ? null : <ProblemNotice error={error} />}
      <div className="row">
        <button className="button quiet" type="button" onClick={onClose}>
          {otherwise}
        </button>
        <button className="button danger" type="button" disabled={isPending} onClick={onConfirm}>
          {action}
        </button>
      </div>
    </dialog>
  );
}
