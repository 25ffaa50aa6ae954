import type { TagName } from './operation.js';

/** The chapters of the reference, in the order in which a newcomer wants them. */
export const tags: readonly { readonly name: TagName; readonly description: string }[] = [
  { name: 'Events', description: 'What can be put before a council.' },
  { name: 'Reports', description: 'Asking the price, buying, reading.' },
  {
    name: 'Track record',
    description:
      'How good the reports were, beside the market at the same instant. Public, and every figure can be redone.',
  },
  { name: 'Credits', description: 'Prices, the balance, and what moved it.' },
  { name: 'Billing', description: 'Buying credits, and the metered subscription.' },
  { name: 'API keys', description: 'At most 20 live ones an account. With a session only.' },
  {
    name: 'Provider keys',
    description: 'Your own keys for the models’ vendors, for the `byok` lane. With a session only.',
  },
  {
    name: 'Accounts',
    description:
      'The built-in accounts. Where the operator uses an identity provider of their own, these paths do not exist, and that provider gives the session tokens. The account library has further routes below `/api/auth` (changing a password, listing and ending sessions, linking other sign-ins): they are deliberately not described here, may change with any release, and are not to be built upon.',
  },
  { name: 'Service', description: 'Whether it is there, and this description of it.' },
];
