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

  it('is what its program runs on', () => {
    assert.deepEqual(of('linux/arm64'), { platform: 'linux/arm64', expected: undefined });
    assert.equal(
      of('linux/arm64', { arch: ['linux/amd64', 'linux/arm64'] }).platform,
      'linux/arm64',
    );
  });

  it('is told together with what was expected when the program is for something else', () => {
    const mismatch = { platform: 'linux/amd64', expected: 'linux/arm64' };
    assert.deepEqual(of('linux/amd64', { path: '/x/module-linux-arm64.tar.gz' }), mismatch);
    assert.deepEqual(of('linux/amd64', { arch: ['linux/arm64'] }), mismatch);
    assert.deepEqual(of('linux/amd64', { before: 'linux/arm64' }), mismatch);
  });

  it('is as narrow as it was said to be where the program tells less', () => {
    const ofArm = of('linux/arm32v7', { arch: ['linux/arm32v6'] });
    assert.deepEqual(ofArm, { platform: 'linux/arm32v6', expected: undefined });
    const ofMac = of('darwin/any', { path: 'm-darwin-arm64.tgz' });
    assert.deepEqual(ofMac, { platform: 'darwin/arm64', expected: undefined });
    assert.equal(of('linux/amd64', { before: 'any' }).platform, 'any');
  });

  it('of a script is in its name, was told before, or is the only one of the manifest', () => {
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

  it('is not read out of names that only begin like one', () => {
    assert.equal(of(undefined, { path: 'x-linux-arm64ish.tar.gz' }).platform, undefined);
    assert.equal(of(undefined, { path: '/x-linux-arm64/module.tar.gz' }).platform, undefined);
  });
});
