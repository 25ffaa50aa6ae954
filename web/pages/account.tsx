import { BalancePart } from '../account/billing/balance.js';
import { LedgerPart } from '../account/billing/ledger.js';
import { PacksPart } from '../account/billing/packs.js';
import { SubscriptionPart } from '../account/billing/subscription.js';
import { ProviderKeysPart } from '../account/keys/provider-keys.js';
import { MembersOnly } from '../account/members-only.js';
import { useSession } from '../account/use-session.js';
import { useSignOut } from '../account/use-sign-in.js';
import { ProblemNotice } from '../shared/notice.js';

export function AccountPage() {
  return (
    <div className="account">
      <h1>Your account</h1>
      <MembersOnly>
        <SignedInAs />
        <BalancePart />
        <PacksPart />
        <SubscriptionPart />
        <ProviderKeysPart />
        <LedgerPart />
      </MembersOnly>
    </div>
  );
}

function SignedInAs() {
  const { data } = useSession();
  const signOut = useSignOut();
  return (
    <div className="signed-in-as">
      <p>
        Signed in as <strong>{data?.email}</strong>
      </p>
      <button
        className="button quiet small"
        type="button"
        disabled={signOut.isPending}
        onClick={() => signOut.mutate()}
      >
        Sign out
      </button>
      {signOut.isError ? <ProblemNotice error={signOut.error} /> : null}
    </div>
  );
}
