import { useQuery } from '@tanstack/react-query';
import { Link, NavLink, useLocation } from 'react-router';
import { useApi } from '../api/api.js';
import { grouped } from '../shared/format.js';
import { signInPath } from '../shared/paths.js';
import { accountBalanceQuery, useSession } from './use-session.js';

/** Links to the member's pages, or to the sign-in. Empty until the session is known. */
export function AccountMenu() {
  const session = useSession();
  const { pathname, search } = useLocation();
  if (session.data === undefined) return <div className="account-menu" />;
  if (session.data === null) {
    const to = pathname === '/sign-in' ? pathname : signInPath(pathname + search);
    return (
      <div className="account-menu">
        <Link className="button small" to={to}>
          Sign in
        </Link>
      </div>
    );
  }
  return (
    <nav className="account-menu" aria-label="Your account">
      <NavLink to="/reports">Reports</NavLink>
      <NavLink to="/batches">Batches</NavLink>
      <NavLink to="/keys">Keys</NavLink>
      <NavLink to="/account">
        Account <Balance />
      </NavLink>
    </nav>
  );
}

function Balance() {
  const { data } = useQuery(accountBalanceQuery(useApi()));
  return data === undefined ? null : <span className="pill">{grouped(data.balance_credits)} cr</span>;
}
