import assert from 'node:assert/strict';
import {
  getTargetPlatforms,
  machinePlatform,
  planBuild,
  platformArchive,
  platformEnvironment,
  usualPlatforms,
} from '../../../../src/core/modules/buildPlan';

const BOTH = { setup: './setup.sh', build: 'make', arch: ['linux/amd64', 'linux/arm64'] };

describe('the plan of a build', () => {
  it('sets up once, and builds for one platform after the other', () => {
    assert.deepEqual(planBuild(BOTH, ['linux/arm64', 'any']), [
      { kind: 'setup', command: './setup.sh', platform: undefined },
      { kind: 'build', command: 'make', platform: 'linux/arm64' },
      { kind: 'build', command: 'make', platform: 'any' },
    ]);
  });

  it('builds once for any platform if none is named', () => {
    assert.deepEqual(planBuild({ build: 'make', setup: ' ' }, []), [
      { kind: 'build', command: 'make', platform: undefined },
    ]);
  });

  it('has no steps without a build command', () => {
    assert.deepEqual(planBuild({ setup: './setup.sh', build: ' \n' }, ['linux/amd64']), []);
    assert.deepEqual(planBuild({}, []), []);
  });

  it('preserves commands from the manifest verbatim', () => {
    const command = `echo "$(id)"; rm -rf '\n'`;
    const [step] = planBuild({ build: command }, ['linux/amd64']);
    assert.equal(step?.command, command);
  });

  it('is for this machine if the manifest names its platform, or for the first platform', () => {
    assert.deepEqual(usualPlatforms(BOTH, 'linux/arm64'), ['linux/arm64']);
    assert.deepEqual(usualPlatforms(BOTH, 'darwin/arm64'), ['linux/amd64']);
    assert.deepEqual(usualPlatforms(BOTH, undefined), ['linux/amd64']);
    assert.deepEqual(usualPlatforms({}, 'linux/arm64'), []);
  });

  it('contains only platforms of the registry, each once', () => {
    const arch = ['linux/arm64', 'linux/sparc', 'linux/arm64', '', 'any'];
    assert.deepEqual(getTargetPlatforms({ arch }), ['linux/arm64', 'any']);
  });
});

describe('platforms of a build', () => {
  it('match the machines that Node.js supports', () => {
    assert.equal(machinePlatform('linux', 'x64'), 'linux/amd64');
    assert.equal(machinePlatform('darwin', 'arm64'), 'darwin/arm64');
    assert.equal(machinePlatform('win32', 'ia32'), 'windows/386');
    assert.equal(machinePlatform('linux', 'arm'), 'linux/arm32v7');
    assert.equal(machinePlatform('sunos', 'x64'), undefined);
  });

  it('are passed to builds in the variables that build scripts read', () => {
    assert.deepEqual(platformEnvironment('windows/amd64'), {
      VIAM_BUILD_OS: 'windows',
      VIAM_BUILD_ARCH: 'amd64',
      VIAM_TARGET_OS: 'windows',
    });
    assert.deepEqual(platformEnvironment('any'), {});
    assert.deepEqual(platformEnvironment(undefined), {});
  });

  it('are part of the names of several archives', () => {
    const names = [
      'dist/archive.tar.gz',
      'module',
      'a.b/c',
      'X.TGZ',
      'out/',
      'v1.2/.hidden',
      'a$&.gz',
    ];
    assert.deepEqual(
      names.map((name) => platformArchive(name, 'linux/arm64')),
      [
        'dist/archive-linux-arm64.tar.gz',
        'module-linux-arm64',
        'a.b/c-linux-arm64',
        'X-linux-arm64.TGZ',
        'out-linux-arm64',
        'v1.2/.hidden-linux-arm64',
        'a$&-linux-arm64.gz',
      ],
    );
  });
});
