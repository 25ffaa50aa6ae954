import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { Link, NavLink, useLocation, useSearchParams } from 'react-router';
import { shortHash } from '../../contract/report-text/record-text.js';
import { AccountMenu } from '../account/account-menu.js';
import { recordHeadQuery } from '../api/queries.js';
import { ErrorBoundary, Loading, Notice } from './notice.js';

/** Header and footer around every page. */
export function Layout({ children }: { readonly children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="site-head">
        <div className="wide site-head-row">
          <Link className="brand" to="/">
            <Mark />
            Council Report
          </Link>
          <nav aria-label="Main">
            <NavLink to="/" end>
              Events
            </NavLink>
            <NavLink to="/track-record">Track record</NavLink>
            <a href="/docs" aria-current={pathname === '/docs' ? 'page' : undefined}>
              API
            </a>
          </nav>
          <AccountMenu />
        </div>
      </header>
      <main id="content" className="wide" tabIndex={-1}>
        <CheckoutNotice />
        <Suspense fallback={<Loading what="the page" />}>
          <ErrorBoundary key={pathname}>{children}</ErrorBoundary>
        </Suspense>
      </main>
      <footer className="site-foot">
        <div className="wide">
          <p>
            Forecasts by language models, not financial advice. Every forecast is kept and{' '}
            <Link to="/track-record">graded in public</Link>.
          </p>
          <RecordHead />
        </div>
      </footer>
    </>
  );
}

/** A witness for every reader: a copy of it shows later whether the record was rewritten. */
function RecordHead() {
  const { data: head } = useQuery(recordHeadQuery);
  if (head === undefined || head === null) return null;
  return (
    <p>
      Record: entry {head.seq}, <code title={head.hash}>{shortHash(head.hash)}</code>
    </p>
  );
}

/** The logo: the four members of the council. */
function Mark() {
  return (
    <svg className="mark" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="7" cy="7" r="4" />
      <circle cx="17" cy="7" r="4" />
      <circle cx="7" cy="17" r="4" />
      <circle cx="17" cy="17" r="4" />
    </svg>
  );
}

/** The result of a checkout, shown after the return from the payment provider's page. */
function CheckoutNotice() {
  const [search] = useSearchParams();
  const result = search.get('checkout');
  if (result === 'success') {
    return (
      <Notice tone="good" title="Thank you.">
        Your payment was received. What you bought appears here once the payment provider confirms it, usually
        within a few seconds.
      </Notice>
    );
  }
  if (result === 'cancelled') {
    return (
      <Notice tone="plain" title="Checkout cancelled.">
        You left the payment page. Nothing was charged.
      </Notice>
    );
  }
  return null;
}
