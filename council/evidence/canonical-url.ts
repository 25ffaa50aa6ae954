import { parseUrl } from '../parse-url.js';
import { titledRedirectHosts } from './denied-hosts.js';

/** A page as the report names it. */
export interface WebPage {
  readonly url: string;
  readonly domain: string;
}

/**
 * The canonical address of a page: https, the host in ASCII and lower case, without tracking parameters, fragment,
 * default port and trailing dot. The same page has the same address for every finder. Null for what the report must not
 * link to: other schemes, user information, IP addresses, local and unusual hosts and ports, over-long addresses, and a
 * vendor's redirect whose title does not name its site.
 */
export function canonicalPage(raw: string, title: string | null): WebPage | null {
  const url = raw.length > urlMaxChars ? null : parseUrl(raw.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  if (url.username !== '' || url.password !== '' || hasUserInformation.test(raw)) return null;
  const host = url.hostname.replace(/\.$/, '');
  if (!publicHost.test(host) || !['', '80', '443'].includes(url.port)) return null;
  if (titledRedirectHosts.includes(host)) return redirect(url, host, title);
  const path = url.pathname.replace(/(?<=.)\/$/, '');
  return { url: `https://${host}${path}${keptQuery(url)}`, domain: host.replace(/^www\./, '') };
}

/** Whether a title is the name of a host, as redirects have it, and which. */
export function hostNamedBy(title: string | null): string | null {
  const host = parseUrl(`https://${(title ?? '').trim()}`)?.hostname.replace(/^www\./, '') ?? '';
  return title !== null && titleHost.test(title.trim()) && publicHost.test(host) ? host : null;
}

/** Longer addresses are made to overflow something, or hold another page. */
const urlMaxChars = 2_000;

const hasUserInformation = /^\s*[a-z]+:\/*[^/?#\\]*@/i;

/**
 * A registered name: labels of ASCII letters, digits and hyphens below a top level of letters. No IP address is one.
 */
const publicHost =
  /^(?=.{4,253}$)(?!(?:.*\.)?(?:local|localhost|internal|invalid|test|onion|arpa|lan|home)$)(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d])?\.){1,12}(?:[a-z]{2,24}|xn--[a-z\d-]{2,59})$/;

const titleHost = /^(?:[\p{L}\d-]{1,63}\.){1,8}\p{L}{2,24}$/u;

/** A redirect stays as it is: its path is a token. */
function redirect(url: URL, host: string, title: string | null): WebPage | null {
  const domain = hostNamedBy(title);
  return domain === null ? null : { url: `https://${host}${url.pathname}${url.search}`, domain };
}

/** The parameters that choose the page, in one order, and none that says where a reader came from. */
function keptQuery(url: URL): string {
  const kept = [...new URLSearchParams(url.search)].filter(([name]) => !isTracking(name));
  const query = new URLSearchParams(kept);
  query.sort();
  return kept.length === 0 ? '' : `?${query.toString()}`;
}

function isTracking(name: string): boolean {
  const lower = name.toLowerCase();
  return tracking.has(lower) || trackingPrefixes.some(prefix => lower.startsWith(prefix));
}

const words = (text: string) => text.split(/\s+/);

const trackingPrefixes = words('utm_ mtm_ pk_ hsa_ oly_ vero_ _hs ga_ at_ ns_ guce_ wt. mc_');

const tracking = new Set(
  words(`gclid gclsrc dclid gbraid wbraid fbclid msclkid yclid twclid ttclid igshid igsh li_fat_id mkt_tok s_cid
    cmpid cmp ocid ncid icid ref ref_src ref_url referrer referer source src smid smtyp share share_id shareid si
    feature spm _ga _gl sref taid guccounter amp outputtype xtor partner campaign campaign_id trk tracking srsltid
    rss emc via`),
);
