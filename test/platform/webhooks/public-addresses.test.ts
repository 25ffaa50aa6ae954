import { describe, expect, test } from '@jest/globals';
import { isPublicAddress } from '../../../platform/webhooks/public-addresses.js';

/** The first and the last address of each range, and their neighbours outside of it. */
const ranges: readonly (readonly [name: string, first: string, last: string, outside: readonly string[]])[] =
  [
    ['unspecified and this network', '0.0.0.0', '0.255.255.255', ['1.0.0.0']],
    ['private, class A', '10.0.0.0', '10.255.255.255', ['9.255.255.255', '11.0.0.0']],
    ['carrier-grade NAT', '100.64.0.0', '100.127.255.255', ['100.63.255.255', '100.128.0.0']],
    ['loopback', '127.0.0.0', '127.255.255.255', ['126.255.255.255', '128.0.0.0']],
    ['Azure’s server', '168.63.129.16', '168.63.129.16', ['168.63.129.15', '168.63.129.17']],
    ['link-local', '169.254.0.0', '169.254.255.255', ['169.253.255.255', '169.255.0.0']],
    ['private, class B', '172.16.0.0', '172.31.255.255', ['172.15.255.255', '172.32.0.0']],
    ['protocol assignments', '192.0.0.0', '192.0.0.255', ['191.255.255.255', '192.0.1.0']],
    ['documentation', '192.0.2.0', '192.0.2.255', ['192.0.1.255', '192.0.3.0']],
    ['private, class C', '192.168.0.0', '192.168.255.255', ['192.167.255.255', '192.169.0.0']],
    ['benchmarks', '198.18.0.0', '198.19.255.255', ['198.17.255.255', '198.20.0.0']],
    ['documentation, second', '198.51.100.0', '198.51.100.255', ['198.51.99.255', '198.51.101.0']],
    ['documentation, third', '203.0.113.0', '203.0.113.255', ['203.0.112.255', '203.0.114.0']],
    ['multicast, reserved and broadcast', '224.0.0.0', '255.255.255.255', ['223.255.255.255']],
    ['Teredo and other protocols', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', ['2001:200::']],
    [
      'documentation, IPv6',
      '2001:db8::',
      '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
      ['2001:db7::', '2001:db9::'],
    ],
    ['6to4', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', ['2001:ffff::', '2003::']],
    [
      'documentation, second, IPv6',
      '3fff::',
      '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
      ['3ffe::', '3fff:1000::'],
    ],
    ['before 2000::/3', '::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', ['2000::']],
    ['after 2000::/3', '4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', ['3fff:ffff::']],
  ];

describe('an address is not public', () => {
  test.each(ranges)('%s: %s to %s', (_, first, last, outside) => {
    expect([first, last].map(isPublicAddress)).toEqual([false, false]);
    expect(outside.map(isPublicAddress)).toEqual(outside.map(() => true));
  });

  test.each([
    ['loopback', '::1'],
    ['unspecified', '::'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped loopback in hex', '::ffff:7f00:1'],
    ['mapped metadata', '::ffff:169.254.169.254'],
    ['a public address, mapped', '::ffff:8.8.8.8'],
    ['compatible', '::127.0.0.1'],
    ['translated', '::ffff:0:127.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['NAT64 of a network', '64:ff9b:1::7f00:1'],
    ['6to4 of 127.0.0.1', '2002:7f00:1::'],
    ['Teredo', '2001:0:7f00:1::'],
    ['unique local', 'fd12:3456:789a::1'],
    ['metadata of AWS', 'fd00:ec2::254'],
    ['metadata of Alibaba', '100.100.100.200'],
    ['metadata of Oracle', '192.0.0.192'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['discard-only', '100::1'],
    ['segment routing', '5f00::1'],
    ['no address', 'hooks.example.com'],
    ['nothing', ''],
    ['a number in octal', '0177.0.0.1'],
    ['a number', '2130706433'],
  ])('%s: %s', (_, address) => expect(isPublicAddress(address)).toBe(false));
});

test.each(['8.8.8.8', '93.184.215.14', '2606:4700:4700::1111', '2a00:1450:4001:80e::200e'])(
  '%s is public',
  address => expect(isPublicAddress(address)).toBe(true),
);
