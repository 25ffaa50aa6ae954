import { hostNamedBy, type WebPage } from './canonical-url.js';
import { deniedHosts, deniedLabels, deniedSegments, opaqueHosts } from './denied-hosts.js';
import { quotesOdds } from './quotes-odds.js';

/**
 * Whether a page publishes prices of events, by its host, by a denied host anywhere in its address (archives, proxies,
 * redirects, caches), by its path, or by what its address or title says.
 */
export function isMarketPage({ url, domain }: WebPage, title: string | null): boolean {
  const address = decoded(url);
  const said = title === null ? [] : [title];
  return (
    [domain, hostNamedBy(title) ?? '', cachedHost(hostOf(url)), ...hostsIn(address)].some(isDeniedHost) ||
    address.split(/[/?&=#]/).some(segment => segments.has(segment)) ||
    [wordsOf(address), ...said].some(quotesOdds)
  );
}

/** Whether a text names the host of such a page. */
export function namesMarketHost(text: string): boolean {
  return hostsIn(decoded(text)).some(isDeniedHost);
}

/** Whether nobody can tell from the address which page it is. */
export function isOpaquePage({ url }: WebPage): boolean {
  const host = hostOf(url);
  return opaqueHosts.includes(host.replace(/^www\./, '')) || /^https:\/\/(?:www\.)?bing\.com\/ck\//.test(url);
}

/** A host is denied by itself, by a parent domain, or at the start of another: `polymarket.com.example.org`. */
function isDeniedHost(host: string): boolean {
  const names = host.split('.');
  return names.some(
    (name, first) =>
      labels.has(name) || labelsMax.some(count => hosts.has(names.slice(first, first + count).join('.'))),
  );
}

const hosts = new Set(deniedHosts);
const labels = new Set(deniedLabels);
const segments = new Set(deniedSegments);

/** How many labels the denied hosts have. */
const labelsMax = [2, 3, 4];

/** What could be a host in an address: `https://web.archive.org/web/2026/https://polymarket.com/…` holds two. */
function hostsIn(address: string): readonly string[] {
  return address.match(/[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63})+/g) ?? [];
}

function hostOf(url: string): string {
  return url.slice('https://'.length).split('/')[0]?.split('?')[0] ?? '';
}

/** Caches put the host into a label: `polymarket-com.cdn.ampproject.org`, `kalshi-com.translate.goog`. */
function cachedHost(host: string): string {
  const [label = ''] = /\.(?:cdn\.ampproject\.org|translate\.goog)$/.test(host) ? host.split('.') : [];
  return label.replaceAll('--', '\u0000').replaceAll('-', '.').replaceAll('\u0000', '-');
}

/** The address with what is percent-encoded, however often, and in lower case. */
function decoded(url: string): string {
  let text = url;
  for (let round = 0; round < encodedTimesMax; round += 1) {
    text = text.replace(/(?:%[\da-f]{2})+/gi, sequence => decodedSequence(sequence));
  }
  return text.normalize('NFKC').toLowerCase();
}

const encodedTimesMax = 3;

function decodedSequence(sequence: string): string {
  try {
    return decodeURIComponent(sequence);
  } catch {
    return sequence;
  }
}

/** What the path and query say, a line each, without dates and ids. */
function wordsOf(address: string): string {
  return (
    address
      .replace(/^https:\/\/[^/?]*/, '')
      .replace(/\/(?:19|20)\d\d\/\d{1,2}(?:\/\d{1,2})?(?=\/|$)/g, ' ')
      .replace(/(?:19|20)\d\d-\d{2}(?:-\d{2})?|\d{5,}/g, ' ')
      .replace(/\.(?:s?html?|php|aspx?|amp|jsp|cms)\b/g, ' ')
      .replace(/(?<=\d)-?\/-?(?=\d)/g, '\u0000')
      .replace(/[/?&=]/g, '\n')
      .replaceAll('\u0000', '/')
      // A separator of words, and no sign of a number.
      .replace(/(?<=[\p{L}:,])[-_+.]|[-_+.](?=\p{L})/gu, ' ')
  );
}
