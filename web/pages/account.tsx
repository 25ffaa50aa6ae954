import type { Page } from '../page.js';
import { BalancePart } from '../parts/account/balance.js';
import { LedgerPart } from '../parts/account/ledger.js';
import { PacksPart } from '../parts/account/packs.js';
import { ProviderKeysPart } from '../parts/account/provider-keys.js';
import { SubscriptionPart } from '../parts/account/subscription.js';
import { Who } from '../parts/account/who.js';
import { MembersOnly } from '../parts/members-only.js';

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
