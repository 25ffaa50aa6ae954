import { Link } from 'react-router';

interface PagerProps {
  readonly page: number;
  readonly hasMore: boolean;
  /** Other parameters of the page, which stay as they are. */
  readonly keep?: Readonly<Record<string, string>>;
  /** Where on the page the list begins, if not at the top. */
  readonly hash?: string;
}

/** To the page before, and to the one after. */
export function Pager({ page, hasMore, keep = {}, hash = '' }: PagerProps) {
  if (page === 1 && !hasMore) return null;
  const to = (other: number) => `?${new URLSearchParams({ ...keep, page: String(other) })}${hash}`;
  return (
    <nav className="pager" aria-label="Pages">
      {page > 1 ? <Link to={to(page - 1)}>← Back</Link> : <span />}
      <span className="muted">Page {page}</span>
      {hasMore ? <Link to={to(page + 1)}>More →</Link> : <span />}
    </nav>
  );
}
