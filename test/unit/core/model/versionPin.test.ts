import assert from 'node:assert/strict';
import {
  resolvePinsWithout,
  LATEST,
  LATEST_WITH_PRERELEASE,
  movedPin,
  resolvePin,
} from '../../../../src/core/model/versionPin';

const versions = ['0.9.1', '1.0.0', '1.2.3', '1.10.0', '2.0.0', '2.1.0-rc.1'];

describe('resolvePin', () => {
  it('resolves a pin to a version', () => {
    const found: readonly (readonly [string, string | undefined])[] = [
      [LATEST, '2.0.0'],
      [LATEST_WITH_PRERELEASE, '2.1.0-rc.1'],
      ['1.0.0', '1.0.0'],
      ['2.1.0-rc.1', '2.1.0-rc.1'],
      ['1', '1.10.0'],
      ['1.2', '1.2.3'],
      ['1.2.*', '1.2.3'],
      ['1.x', '1.10.0'],
      ['^1', '1.10.0'],
      ['^1.2.4', '1.10.0'],
      ['~1.2.0', '1.2.3'],
      ['^0.9', '0.9.1'],
      ['^0', '0.9.1'],
    ];
    for (const [pin, version] of found) assert.equal(resolvePin(pin, versions), version, pin);
  });

  it('returns nothing if no version matches, or for an invalid pin', () => {
    for (const pin of ['3', '1.2.4', '~1.2.4', '^0.8', 'newest', '', '>=1']) {
      assert.equal(resolvePin(pin, versions), undefined, pin);
    }
  });
});

describe('resolvePinsWithout', () => {
  const LATER = LATEST_WITH_PRERELEASE;
  type Case = readonly [string, readonly string[], ReturnType<typeof resolvePinsWithout>];
  const cases: readonly Case[] = [
    ['2.0.0', versions, [{ pin: LATEST, next: '1.10.0' }]],
    ['2.1.0-rc.1', versions, [{ pin: LATER, next: '2.0.0' }]],
    ['1.0.0', versions, []],
    [
      '1.0.0',
      ['0.9.0', '1.0.0-rc.1', '1.0.0'],
      [
        { pin: LATEST, next: '0.9.0' },
        { pin: LATER, next: '1.0.0-rc.1' },
      ],
    ],
    [
      '1.0.0',
      ['1.0.0', '1.0.0-rc.1'],
      [
        { pin: LATEST, next: undefined },
        { pin: LATER, next: '1.0.0-rc.1' },
      ],
    ],
  ];

  it('resolves pins to the latest, which ignore a prerelease', () => {
    for (const [version, all, expected] of cases) {
      assert.deepEqual(resolvePinsWithout(version, all), expected, `${version} of ${all.join()}`);
    }
  });
});

describe('movedPin', () => {
  const moves: readonly (readonly [string, string, string])[] = [
    ['1.0.0', '1.2.3', '1.2.3'],
    [LATEST, '2.0.0', LATEST],
    ['^1', '1.10.0', '^1'],
    ['^1', '2.0.0', '^2'],
    ['1.2', '1.10.0', '1.10'],
    ['~1.2.0', '2.0.0', '~2.0.0'],
    ['1.x', '2.0.0', '2.x'],
  ];

  it('preserves the kind of pin if that resolves to the target version', () => {
    for (const [pin, target, expected] of moves) {
      assert.equal(movedPin(pin, target, versions), expected, `${pin} to ${target}`);
    }
  });

  it('returns the version if no pin of that kind resolves to it', () => {
    assert.equal(movedPin(LATEST, '1.2.3', versions), '1.2.3');
    assert.equal(movedPin(LATEST, '2.1.0-rc.1', versions), '2.1.0-rc.1');
    assert.equal(movedPin('^1', '1.0.0', versions), '1.0.0');
    assert.equal(movedPin('', '1.0.0', versions), '1.0.0');
  });

  it('includes a version that the list does not contain yet', () => {
    assert.equal(movedPin(LATEST, '2.0.1', versions), LATEST);
    assert.equal(movedPin('2.0.0', '2.0.1', versions), '2.0.1');
  });

  it('returns a selected pin unchanged', () => {
    assert.equal(movedPin('1.0.0', LATEST, versions), LATEST);
  });
});
