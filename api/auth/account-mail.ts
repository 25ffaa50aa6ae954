import type { Mailer } from '../../platform/mail/mailer.js';
import { passwordLinkMinutes, verificationLinkHours } from '../../purchase/limits.js';

export interface AccountMailOptions {
  /** Public address of the service, for cookies, origin checks and the links in mails, whatever a request says. */
  readonly baseUrl: string;
  readonly mailer: Pick<Mailer, 'send'>;
  /** Called after a user has opened a link that only the owner of the address can have. */
  readonly addressVerified: (user: VerifiedUser) => Promise<void>;
}

export interface VerifiedUser {
  readonly id: string;
  readonly email: string;
  /**
   * `reset` also means that the account may have been opened by somebody else: its address was not verified, and its
   * owner has come by a new password.
   */
  readonly by: 'link' | 'reset';
}

interface MailedUser {
  readonly id: string;
  readonly email: string;
}

/** When the account library sends which mail. Nothing here waits for a mail server. */
export function accountMail({ baseUrl, mailer, addressVerified }: AccountMailOptions) {
  return {
    emailVerification: {
      sendOnSignUp: true,
      expiresIn: verificationLinkHours * 3_600,
      sendVerificationEmail: async ({ user, token }: { user: MailedUser; token: string }) => {
        const link = `${baseUrl}/api/auth/verify-email?token=${encodeURIComponent(token)}`;
        mailer.send({ kind: 'verify_address', to: user.email, link });
      },
      afterEmailVerification: ({ id, email }: MailedUser) => addressVerified({ id, email, by: 'link' }),
    },
    emailAndPassword: {
      resetPasswordTokenExpiresIn: passwordLinkMinutes * 60,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: async ({ user, token }: { user: MailedUser; token: string }) => {
        const link = `${baseUrl}/new-password?token=${encodeURIComponent(token)}`;
        mailer.send({ kind: 'new_password', to: user.email, link });
      },
      // No token in this link: a stranger's sign-up creates nothing that opens the account.
      onExistingUserSignUp: async ({ user }: { user: MailedUser }) => {
        mailer.send({ kind: 'address_in_use', to: user.email, link: `${baseUrl}/forgotten-password` });
      },
    },
  };
}
