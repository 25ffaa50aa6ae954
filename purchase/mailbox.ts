/**
 * The mailbox that receives what is sent to an address, in one spelling: without letter case, without what follows a
 * `+`, and without the separators that its provider ignores. Many addresses lead to one mailbox, so what a person gets
 * once is counted by it. An owner of a whole domain still has as many mailboxes as they like.
 */
export function mailboxOf(address: string): string {
  const normal = address.normalize('NFKC').trim().toLowerCase();
  const at = normal.lastIndexOf('@');
  if (at < 1) return normal;
  const domain = normal.slice(at + 1).replace(/\.$/, '');
  const provider = providers.find(({ domains }) => domains.includes(domain));
  const [name = '', ...tags] = normal.slice(0, at).split('+');
  // A name that consists of nothing else is kept: it is no tag of anybody.
  const untagged = name === '' && tags.length > 0 ? normal.slice(0, at) : name;
  if (provider === undefined) return `${untagged}@${domain}`;
  const short = untagged.replace(provider.ignored, '');
  return `${short === '' ? untagged : short}@${provider.domains[0]}`;
}

interface MailProvider {
  /** Addresses with the same name at these domains belong to one person; the first stands for all. */
  readonly domains: readonly [string, ...string[]];
  /** Characters of a name that make no difference. */
  readonly ignored: RegExp;
}

const providers: readonly MailProvider[] = [
  { domains: ['gmail.com', 'googlemail.com'], ignored: /\./g },
  { domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], ignored: /[._-]/g },
];
