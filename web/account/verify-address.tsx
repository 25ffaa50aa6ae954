import { useMutation } from '@tanstack/react-query';
import { useApi } from '../api/api.js';
import { Notice, ProblemNotice } from '../shared/notice.js';
import { useSession } from './use-session.js';

/** Says that the free report waits for the member's address, and sends the mail with the link again. */
export function VerifyAddress() {
  const api = useApi();
  const { data: session } = useSession();
  const sending = useMutation({
    mutationFn: (email: string) =>
      api.request('POST /api/auth/send-verification-email', { body: { email }, as: 'nobody' }),
  });
  if (session == null) return null;
  const { email } = session;
  return (
    <Notice tone="warn" title="Confirm your e-mail address.">
      The free report of the week waits until you open the link in the mail to {email}.{' '}
      <button
        className="link"
        type="button"
        disabled={sending.isPending}
        onClick={() => sending.mutate(email)}
      >
        Send the mail again
      </button>
      {sending.isSuccess ? <span> Sent.</span> : null}
      {sending.isError ? <ProblemNotice error={sending.error} /> : null}
    </Notice>
  );
}
