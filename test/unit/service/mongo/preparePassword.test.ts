import assert from 'node:assert/strict';
import { preparePassword } from '../../../../src/service/handlers/data/databaseAccess';

describe('preparePassword', () => {
  // The examples of RFC 4013, section 3, and typical passwords.
  for (const [password, prepared] of [
    ['I\u00ADX', 'IX'],
    ['user', 'user'],
    ['USER', 'USER'],
    ['\u00AA', 'a'],
    ['\u2168', 'IX'],
    ['\u0007', undefined],
    ['\u0627\u0031', '\u06271'],
    ['a\u0627', undefined],
    ['p@ss w\u00F6rd', 'p@ss w\u00F6rd'],
    ['o\u0308', '\u00F6'],
    ['a\u00A0b\u3000c', 'a b c'],
    ['tab\tin it', undefined],
    ['\uD800', undefined],
    ['\uE000', undefined],
  ] as const) {
    it(`${JSON.stringify(password)} is ${prepared === undefined ? 'rejected' : JSON.stringify(prepared)}`, () => {
      assert.equal(preparePassword(password), prepared);
    });
  }
});
