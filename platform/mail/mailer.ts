/** What a mail is about. `platform/mail/compose.ts` has its text. */
export type MailKind =
  | 'verify_address'
  | 'new_password'
  | 'address_in_use'
  | 'payment_disputed'
  | 'key_created'
  | 'key_used_elsewhere'
  | 'webhook_disabled';

/** A mail of this service: one recipient, one link. It contains nothing else that a caller has written. */
export interface Mail {
  readonly kind: MailKind;
  /** An e-mail address without a name. */
  readonly to: string;
  readonly link: string;
  /** The last line, of the service itself. */
  readonly foot?: string;
}

/** Outgoing mail. */
export interface Mailer {
  /**
   * Returns at once, so that the time of a response does not depend on a mail server, and never throws. A mail that waits
   * here is lost when the process ends.
   */
  send(mail: Mail): void;
  /** Gives mails that are being sent some seconds. */
  close(): Promise<void>;
}
