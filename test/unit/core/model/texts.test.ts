import assert from 'node:assert/strict';
import {
  displayName,
  findUnsafeCharacter,
  toDisplayText,
} from '../../../../src/core/model/displayText';
import { nameProblem } from '../../../../src/core/model/resourceName';
import { relativeTime } from '../../../../src/core/model/presence';

const now = new Date('2026-03-01T12:00:00Z');
const ago = (minutes: number): Date => new Date(now.getTime() - minutes * 60_000);

describe('displayText', () => {
  it('preserves text and neutralizes disguising characters', () => {
    assert.equal(toDisplayText('Plant 1 ☂ Größe'), 'Plant 1 ☂ Größe');
    assert.equal(toDisplayText('a\nb\u202ecod.exe\u0007'), 'a\ufffdb\ufffdcod.exe\ufffd');
    assert.equal(toDisplayText('x'.repeat(10_000)).length, 200);
  });

  it('breaks links that VS Code would render, and preserves other brackets', () => {
    assert.equal(toDisplayText('[go](command:quit) [a](b)'), '[go] (command:quit) [a](b)');
    assert.equal(toDisplayText('[x](HTTPS://example.com)'), '[x] (HTTPS://example.com)');
  });

  it('does not truncate text that is short enough until its links are broken', () => {
    const links = '](http:'.repeat(10);
    assert.equal(toDisplayText(links, links.length), '] (http:'.repeat(10));
  });

  it('truncates between characters', () => {
    const robots = toDisplayText('🤖'.repeat(120));
    assert.equal(robots, `${'🤖'.repeat(99)}…`);
  });

  it('returns the ID of a resource without a name', () => {
    assert.equal(displayName({ name: ' ', id: 'abc' }), 'abc');
    assert.equal(displayName({ name: '\u200b\u3164\u2800', id: 'abc' }), 'abc');
    assert.equal(displayName({ name: '👩‍🔧', id: 'abc' }), '👩‍🔧');
  });
});

describe('findUnsafeCharacter', () => {
  it('accepts names in all scripts and joined emoji', () => {
    const flag = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}';
    for (const name of [
      ...[
        '👩‍🔧 Lab',
        '👨‍👩‍👧‍👦',
        '❤️',
        '👍🏽',
        flag,
        'محطة ۱',
        'می‌خواهم',
        'יד ימין',
        '机器人',
        'ロボット',
        'क्षेत्र',
      ],
      ...['e\u0301', 'a b'],
    ]) {
      assert.equal(findUnsafeCharacter(name), undefined, name);
      assert.equal(toDisplayText(name), name);
    }
  });

  it('returns the first character that disguises text', () => {
    assert.equal(findUnsafeCharacter('a\u202eb\n'), 'U+202E');
    assert.equal(findUnsafeCharacter('a\n'), 'U+000A');
  });
});

describe('nameProblem', () => {
  const rules = { siblings: ['arm', 'Leg'] };
  it('reports errors while the user types', () => {
    assert.equal(nameProblem('  ', rules), 'empty');
    assert.equal(nameProblem('\u200b\u2060', rules), 'empty');
    assert.equal(nameProblem('a\tb', rules), 'controlCharacters');
    assert.equal(nameProblem('a\u202eb', rules), 'controlCharacters');
    assert.equal(nameProblem('👩‍🔧 יד', rules), undefined);
    assert.equal(nameProblem('x'.repeat(201), rules), 'tooLong');
    assert.equal(nameProblem('ARM', rules), 'taken');
    assert.equal(nameProblem('hand', rules), undefined);
  });

  it('nameProblem accepts the current name, which can be outdated', () => {
    assert.equal(nameProblem('arm', { ...rules, current: 'arm' }), undefined);
  });

  it('accepts a rename that changes only the case', () => {
    assert.equal(nameProblem('Arm', { ...rules, current: 'arm' }), undefined);
    assert.equal(nameProblem('leg', { ...rules, current: 'arm' }), 'taken');
  });
});

describe('relativeTime', () => {
  it('uses the largest whole unit', () => {
    assert.equal(relativeTime(ago(0), now, 'en'), 'this minute');
    assert.equal(relativeTime(ago(5), now, 'en'), '5 minutes ago');
    assert.equal(relativeTime(ago(60 * 25), now, 'en'), 'yesterday');
    assert.equal(relativeTime(ago(60 * 24 * 400), now, 'en'), 'last year');
    assert.equal(relativeTime(ago(120), now, 'de'), 'vor 2 Stunden');
  });
});
