import { BalancePart } from '../account/billing/balance.js';
import { LedgerPart } from '../account/billing/ledger.js';
import { PacksPart } from '../account/billing/packs.js';
import { SubscriptionPart } from '../account/billing/subscription.js';
import { ProviderKeysPart } from '../account/keys/provider-keys.js';
import { MembersOnly } from '../account/members-only.js';
import { Who } from '../account/who.js';
import type { Page } from '../app/page.js';

export const accountPage: Page = {
  path: '/account',
  title: 'Your account · Council Report',
  status: 200,
  Content,
};

function Content() {
  return (
    <div className="account">
      <h1>Your account</h1>
      <MembersOnly>
        <Who />
        <BalancePart />
        <PacksPart />
        <SubscriptionPart />
        <ProviderKeysPart />
        <LedgerPart />
      </MembersOnly>
    </div>
  );
}
