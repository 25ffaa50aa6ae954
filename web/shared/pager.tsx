import { Link } from 'react-router';

interface PagerProps {
  readonly page: number;
  readonly hasMore: boolean;
  /** Other search parameters to keep. */
  readonly keep?: Readonly<Record<string, string>>;
  /** Anchor of the list, if it is not at the top of the page. */
  readonly hash?: string;
}

export function Pager({ page, hasMore, keep = {}, hash = '' }: PagerProps) {
  if (page === 1 && !hasMore) return null;
  const to = (other: number) => `?${new URLSearchParams({ ...keep, page: String(other) })}${hash}`;
  return (
    <nav className="pager" aria-label="Pages">
      {page > 1 ? <Link to={to(page - 1)}>← Previous</Link> : <span />}
      <span className="muted">Page {page}</span>
      {hasMore ? <Link to={to(page + 1)}>Next →</Link> : <span />}
    </nav>
  );
}
