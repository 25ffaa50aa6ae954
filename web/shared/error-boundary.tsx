import { Component, type ReactNode } from 'react';
import { ProblemNotice } from './notice.js';

/**
 * Shows a message in place of a page that cannot be rendered, for example because an answer of the API has a
 * shape that this page does not know. Without it, React would remove the whole document.
 */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? 'unknown' };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <ProblemNotice error={error} onRetry={() => window.location.reload()} />;
  }
}
