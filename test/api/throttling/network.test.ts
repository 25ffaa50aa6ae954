import { expect, test } from '@jest/globals';
import { networkOf, shownNetworkOf, siteOf } from '../../../api/throttling/network.js';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['2001:db8:1:2aff::1', '2001:db8:1:2a00::/56'],
  ['2001:0DB8:0001:2a00:ffff::', '2001:db8:1:2a00::/56'],
  ['2001:db8:1:2b00::1', '2001:db8:1:2b00::/56'],
  ['::1', '0:0:0:0::/56'],
  ['fe80::1%eth0', 'fe80:0:0:0::/56'],
  ['1:2:3:4:5:6:7:8', '1:2:3:0::/56'],
  ['', ''],
  ['nonsense', 'nonsense'],
])('the address %s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  ['2001:db8:1:2aff::1', '2001:db8:1::/48'],
  ['2001:0DB8:0001:2b00:ffff::', '2001:db8:1::/48'],
  ['203.0.113.7', null],
  ['::ffff:203.0.113.7', null],
  ['', null],
])('the address %s is in the site %s', (address, site) => {
  expect(siteOf(address)).toBe(site);
});

test.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['::ffff:203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:1:2aff::1', '2001:db8:1::/48'],
  ['unknown', 'unknown'],
])('the owner of a key sees of the address %s the network %s', (address, network) => {
  expect(shownNetworkOf(address)).toBe(network);
});
