import assert from 'node:assert/strict';
import { parseBaseUrl } from '../../../../src/core/model/connection';

describe('parseBaseUrl', () => {
  const good: readonly (readonly [text: string, baseUrl: string, inClear: boolean])[] = [
    ['fleet.example.com', 'https://fleet.example.com', false],
    [' https://fleet.example.com/ ', 'https://fleet.example.com', false],
    ['fleet.example.com:8443', 'https://fleet.example.com:8443', false],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080', false],
    ['http://localhost:1', 'http://localhost:1', false],
    ['http://[::1]:1', 'http://[::1]:1', false],
    ['http://127.0.1.1:1', 'http://127.0.1.1:1', false],
    ['http://fleet.example.com', 'http://fleet.example.com', true],
    ['http://127.0.0.1.example.com', 'http://127.0.0.1.example.com', true],
  ];
  for (const [text, baseUrl, keyTravelsInClear] of good) {
    it(`parses ${text}`, () => {
      assert.deepEqual(parseBaseUrl(text), { ok: true, baseUrl, keyTravelsInClear });
    });
  }

  const bad: readonly (readonly [text: string, problem: string])[] = [
    ['', 'empty'],
    ['   ', 'empty'],
    ['https://', 'malformed'],
    ['https://a b', 'malformed'],
    ['ftp://fleet.example.com', 'scheme'],
    ['https://me:secret@fleet.example.com', 'credentials'],
    ['https://fleet.example.com/api', 'path'],
    ['https://fleet.example.com?x=1', 'path'],
  ];
  for (const [text, problem] of bad) {
    it(`rejects "${text}" (${problem})`, () => {
      assert.deepEqual(parseBaseUrl(text), { ok: false, problem });
    });
  }
});
