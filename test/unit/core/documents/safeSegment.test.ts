import assert from 'node:assert/strict';
import { safeFolder, safeSegment } from '../../../../src/core/documents/documentAddress';

const HOSTILE = [
  '../../etc/passwd',
  '..',
  '.',
  '',
  '   ',
  'a/b\\c',
  'line\nbreak\ttab\0nul',
  'abc\u202Egnp.json',
  '[Sign in](command:workbench.action.quit)',
  'x;$(reboot)`id`|&',
  '\uD800lone',
  'x'.repeat(10_000),
  '🤖'.repeat(500),
  'e\u0301'.repeat(5_000),
  '%2F..%2F',
  '?#query',
];

describe('safeSegment', () => {
  it('preserves ordinary names', () => {
    for (const name of ['rover-07', 'Halle 3', 'Füße', 'ロボット', 'arm_left.v2']) {
      assert.equal(safeSegment(name), name);
    }
  });

  it('turns any name into one harmless segment', () => {
    for (const name of HOSTILE) {
      const segment = safeSegment(name);
      assert.match(segment, /^[\p{L}\p{M}\p{N} ._-]+$/u, JSON.stringify(name));
      assert.doesNotMatch(segment, /^\.|\.\.|\.$|^ | $/, JSON.stringify(name));
      assert.ok(Array.from(segment).length <= 60, JSON.stringify(name));
      assert.equal(decodeURIComponent(encodeURIComponent(segment)), segment);
    }
  });

  it('never returns a document name for a folder', () => {
    assert.equal(safeFolder('fleet.json'), 'fleet_json');
  });
});
