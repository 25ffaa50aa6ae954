import type { ReactNode } from 'react';

interface NoticeProps {
  /** `bad` and `warn` are read out at once by a screen reader. */
  readonly tone: 'plain' | 'good' | 'warn' | 'bad';
  readonly title?: string;
  readonly children: ReactNode;
}

/** A sentence that must not be overlooked. */
export function Notice({ tone, title, children }: NoticeProps) {
  const urgent = tone === 'bad';
  return (
    <div className={`notice ${tone}`} role={urgent ? 'alert' : 'status'}>
      {title === undefined ? null : <strong>{title} </strong>}
      {children}
    </div>
  );
}
