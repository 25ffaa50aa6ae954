import { passwordLinkMinutes, verificationLinkHours } from '../../purchase/limits.js';
import type { Mail, MailKind } from './mailer.js';

export interface ComposedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Subject and text of a mail, the latter also as HTML. */
export function compose({ kind, link, foot }: Mail): ComposedMail {
  const { subject, before, action, after } = texts[kind];
  const site = new URL(link).origin;
  const opening = before(site);
  return {
    subject,
    text: [opening, link, after, ...(foot === undefined ? [] : [foot]), ''].join('\n\n'),
    html: [
      '<!doctype html><html lang="en"><body>',
      `<p>${escaped(opening)}</p>`,
      `<p><a href="${escaped(link)}">${escaped(action)}</a></p>`,
      `<p>${escaped(after)}</p>`,
      ...(foot === undefined ? [] : [`<p>${escaped(foot)}</p>`]),
      '</body></html>',
    ].join('\n'),
  };
}

interface MailText {
  readonly subject: string;
  readonly before: (site: string) => string;
  /** The text of the link in HTML. */
  readonly action: string;
  readonly after: string;
}

const texts: Readonly<Record<MailKind, MailText>> = {
  verify_address: {
    subject: 'Confirm your e-mail address',
    before: site =>
      `An account at ${site} was created with this e-mail address. Open this link within ${verificationLinkHours} hours to confirm that the address is yours:`,
    action: 'Confirm this address',
    after:
      'If you did not create an account, ignore this mail: without the link, the address is not confirmed.',
  },
  new_password: {
    subject: 'Set a new password',
    before: site =>
      `A new password was requested for your account at ${site}. Open this link within ${passwordLinkMinutes} minutes to set one. It works once, and ends all sessions:`,
    action: 'Set a new password',
    after: 'If you did not request it, ignore this mail: your password has not changed.',
  },
  address_in_use: {
    subject: 'You already have an account',
    before: site =>
      `Somebody tried to create an account at ${site} with this e-mail address, which already has one. Nothing has changed. If it was you, sign in, or request a new password here:`,
    action: 'Request a new password',
    after: 'If it was not you, ignore this mail: nobody has got access to your account.',
  },
  payment_disputed: {
    subject: 'A payment for your subscription is disputed',
    before: site =>
      `The bank of a payment for your subscription at ${site} disputes it. Until this is settled, the subscription pays for no reports. You can go on with credits, and everything that you own stays readable. If the dispute is a mistake, have the bank withdraw it. Your invoices are in the billing portal, which this page opens:`,
    action: 'Open your account',
    after: 'If you have paid in another way or did not dispute anything, ask the operator of the service.',
  },
  key_created: {
    subject: 'An API key was created',
    before: site =>
      `An API key was created for your account at ${site}. Anybody who has it can use the account within the limits of the key. Your keys are listed here, and each can be revoked:`,
    action: 'See your API keys',
    after: 'If you did not create it, revoke it and set a new password.',
  },
  key_used_elsewhere: {
    subject: 'An API key was used from a new network',
    before: site =>
      `One of your API keys for ${site} was used from a network from which it had not been used before. If a program of yours has moved there, all is well. Your keys are listed here, and each can be revoked:`,
    action: 'See your API keys',
    after: 'If it was neither you nor anybody to whom you gave the key, revoke it: it stops working at once.',
  },
  webhook_disabled: {
    subject: 'A webhook endpoint was disabled',
    before: site =>
      `One of your webhook endpoints at ${site} has failed to accept a webhook for more than three days, at every try. It was disabled and is sent nothing more. What each try got is listed here; once the receiver works again, enable the endpoint and have what it missed sent again:`,
    action: 'See your webhooks',
    after: 'If you no longer need the endpoint, you can leave it disabled or delete it.',
  },
};

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, character => entities[character] ?? '');
}
