import { expect, test } from '@jest/globals';
import { grpcCompression } from '../../../platform/temporal/connection.js';

test.each([
  [undefined, 'none'],
  ['localhost:7233', 'none'],
  ['127.0.0.1:7233', 'none'],
  ['127.8.0.1:17233', 'none'],
  ['[::1]:7233', 'none'],
  ['10.0.0.7:7233', 'gzip'],
  ['127.example.com:7233', 'gzip'],
  ['house.a2dd6.tmprl.cloud:7233', 'gzip'],
  ['[2001:db8::1]:7233', 'gzip'],
])('what goes to %s is packed with %s', (address, codec) => {
  expect(grpcCompression(address)).toEqual({ codec });
});
