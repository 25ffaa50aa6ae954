/**
 * Whether the page links to an address that a search returned. User information before a host can imitate another host,
 * and other schemes than https can run a script or go unencrypted.
 */
export function isLinkable(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return protocol === 'https:' && username === '' && password === '';
}
