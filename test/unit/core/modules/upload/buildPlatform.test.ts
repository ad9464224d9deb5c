import assert from 'node:assert/strict';
import type { Platform } from '../../../../../src/core/modules/platforms';
import {
  buildPlatform,
  type PlatformHints,
} from '../../../../../src/core/modules/upload/preparedBuild';

describe('the platform of a build', () => {
  const of = (found: Platform | undefined, hints: Partial<PlatformHints> = {}) =>
    buildPlatform(
      { entrypoint: { path: 'main', state: 'ok', platform: found, candidates: [] } },
      { path: '/x/module.tar.gz', arch: [], ...hints },
    );

  it('is that of its program', () => {
    assert.deepEqual(of('linux/arm64'), { platform: 'linux/arm64', expected: undefined });
    assert.equal(
      of('linux/arm64', { arch: ['linux/amd64', 'linux/arm64'] }).platform,
      'linux/arm64',
    );
  });

  it('includes the expected platform if the program is for another one', () => {
    const mismatch = { platform: 'linux/amd64', expected: 'linux/arm64' };
    assert.deepEqual(of('linux/amd64', { path: '/x/module-linux-arm64.tar.gz' }), mismatch);
    assert.deepEqual(of('linux/amd64', { arch: ['linux/arm64'] }), mismatch);
    assert.deepEqual(of('linux/amd64', { before: 'linux/arm64' }), mismatch);
  });

  it('is as narrow as requested if the program is less specific', () => {
    const ofArm = of('linux/arm32v7', { arch: ['linux/arm32v6'] });
    assert.deepEqual(ofArm, { platform: 'linux/arm32v6', expected: undefined });
    const ofMac = of('darwin/any', { path: 'm-darwin-arm64.tgz' });
    assert.deepEqual(ofMac, { platform: 'darwin/arm64', expected: undefined });
    assert.equal(of('linux/amd64', { before: 'any' }).platform, 'any');
  });

  it('of a script is in its name, the previous one, or the only one of the manifest', () => {
    const path = 'C:\\builds\\archive-windows-amd64.tar.gz';
    assert.equal(
      of(undefined, { path, before: 'any', arch: ['linux/any'] }).platform,
      'windows/amd64',
    );
    assert.equal(of(undefined, { before: 'any', arch: ['linux/amd64'] }).platform, 'any');
    assert.equal(of(undefined, { arch: ['linux/amd64'] }).platform, 'linux/amd64');
    assert.equal(of(undefined, { arch: ['linux/amd64', 'linux/arm64'] }).platform, undefined);
    assert.equal(of(undefined, { arch: ['linux/pdp11'] }).platform, undefined);
  });

  it('is not parsed from names with only a similar start', () => {
    assert.equal(of(undefined, { path: 'x-linux-arm64ish.tar.gz' }).platform, undefined);
    assert.equal(of(undefined, { path: '/x-linux-arm64/module.tar.gz' }).platform, undefined);
  });
});
