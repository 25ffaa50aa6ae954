import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mailboxOf } from '../../purchase/mailbox.js';

describe('the mailbox of an address', () => {
  test.each([
    ['one.person+7@example.org', 'one.person@example.org'],
    ['One.Person@Example.ORG.', 'one.person@example.org'],
    ['a+b+c@example.org', 'a@example.org'],
    ['one.per.son+x@gmail.com', 'oneperson@gmail.com'],
    ['onePerson@googlemail.com', 'oneperson@gmail.com'],
    ['one_per-son@pm.me', 'oneperson@proton.me'],
    // Written with full-width characters.
    ['ｏｎｅ＋x@example.org', 'one@example.org'],
  ])('%s is %s', (address, mailbox) => {
    expect(mailboxOf(address)).toBe(mailbox);
  });

  test.each([
    'one.person@example.org',
    '+@example.org',
    '+x@example.org',
    '...@gmail.com',
    'no address',
    '@',
  ])('%s is its own', address => {
    expect(mailboxOf(address)).toBe(address);
  });

  test('is the same with any tag, and itself has none', () => {
    const name = fc.stringMatching(/^[a-z0-9._-]{1,20}$/).filter(text => /[a-z0-9]/.test(text));
    const domain = fc.constantFrom('example.org', 'gmail.com', 'proton.me');
    fc.assert(
      fc.property(name, fc.string(), domain, (local, tag, host) => {
        const mailbox = mailboxOf(`${local}@${host}`);
        expect(mailboxOf(`${local}+${tag.replaceAll('@', '')}@${host}`)).toBe(mailbox);
        expect(mailboxOf(mailbox)).toBe(mailbox);
      }),
    );
  });
});
