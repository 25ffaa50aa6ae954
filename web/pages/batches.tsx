import { Link, useSearchParams } from 'react-router';
import { MembersOnly } from '../account/members-only.js';
import { BatchList } from '../batches/batch-list.js';
import { NewBatch } from '../batches/new-batch.js';
import { pageIn } from '../shared/read-input.js';

export function BatchesPage() {
  const [parameters] = useSearchParams();
  return (
    <div className="account">
      <h1>Your batches</h1>
      <MembersOnly>
        <p>
          A batch buys the reports of many events, a few at a time, and never spends more than its budget. You
          find each of them under <Link to="/reports">your reports</Link>, too.{' '}
          <a href="/docs#create-batch">See the API reference</a>
        </p>
        <NewBatch />
        <BatchList page={pageIn(parameters)} />
      </MembersOnly>
    </div>
  );
}
