import { dictionary } from '@zxcvbn-ts/language-common';

/**
 * Why a password is refused, and what to do; null if it is not. Attackers try common passwords first, so throttles alone
 * do not protect them. Nothing is sent anywhere: the list of leaked passwords is part of a package.
 * @param address the account's e-mail address, where it is known
 */
export function passwordWeakness(password: string, address: string | null): string | null {
  const plain = password.normalize('NFKC').toLowerCase();
  if (commonPasswords.has(plain)) return `This password is on a list of common passwords. ${advice}`;
  if (isPattern(plain)) return `This password repeats or counts a few characters. ${advice}`;
  const word = guessableWords(address).find(each => each === withoutDecoration(plain));
  return word === undefined ? null : `This password is "${word}" with little more. ${advice}`;
}

const advice = 'Choose several words that do not belong together, or use a password manager.';

const commonPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common']);

/** One group of up to four characters again and again (`abababab`), or each character after the other (`34567890`). */
function isPattern(text: string): boolean {
  if (/^(.{1,4}?)\1+.{0,3}$/su.test(text) && new Set(text).size <= groupMaxChars) return true;
  const characters = Array.from(text);
  const steps = new Set(
    characters.slice(1).map((character, index) => step(characters[index] ?? '', character)),
  );
  return steps.size === 1 && (steps.has(1) || steps.has(-1));
}

const groupMaxChars = 4;

/** 9 is followed by 0, as on a keyboard. */
function step(from: string, to: string): number {
  if (from === '9' && to === '0') return 1;
  return (to.codePointAt(0) ?? 0) - (from.codePointAt(0) ?? 0);
}

/** The service, and what the address consists of: what somebody would try who knows no more than that. */
function guessableWords(address: string | null): readonly string[] {
  const [local = '', domain = ''] = (address ?? '').toLowerCase().split('@');
  const words = [address?.toLowerCase() ?? '', local, domain, ...domain.split('.').slice(0, -1)];
  return [...serviceWords, ...words].map(withoutDecoration).filter(word => word.length >= wordMinChars);
}

const serviceWords = [
  'council',
  'council report',
  'council reports',
  'polymarket',
  'kalshi',
  'prediction market',
];
/** A shorter word leaves enough to guess. */
const wordMinChars = 3;

/** Digits and signs around a word, and between words, add little. */
function withoutDecoration(text: string): string {
  return text.replaceAll(/[^\p{L}]/gu, '');
}
