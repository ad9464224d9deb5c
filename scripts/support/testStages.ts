import { globSync } from 'node:fs';
import { fromRoot, root } from './paths';
import type { Stage } from './stages';

/** Stage of `npm test` and `npm run test:all`. */
export interface TestStage extends Stage {
  /** Test files to append to the command, if they can be selected individually. */
  files?: readonly string[];
  /** Starts only after this stage. */
  after?: string;
  /** True if it is part of only `npm run test:all`. */
  isThorough?: boolean;
  /** Path prefixes; a change in any of them runs the whole stage. */
  reachedBy?: readonly string[];
}

const script = (name: string, ...args: string[]): Stage['command'] => [
  process.execPath,
  '--import',
  'tsx',
  fromRoot('scripts', name),
  ...args,
];

/** Also exits if a test that timed out has left resources open. */
const mocha: Stage['command'] = ['mocha', '--exit'];

const kills = 'contract/kills';

/** Returns the test files of a folder of `test`, except those of another. */
function tests(folder: string, except = ''): readonly string[] {
  const exclude = except === '' ? [] : [`test/${except}/**`];
  return globSync(`test/${folder}/**/*.test.ts`, { cwd: root, exclude }).sort();
}

const product = ['src/', 'webview/', 'scripts/'];

/**
 * Returns the stages in the order in which the lanes start them: prerequisites and long ones first.
 */
export function testStages(isThorough: boolean): readonly TestStage[] {
  const stages: readonly TestStage[] = [
    // The contract suite also starts the bundled service, and later stages install the package.
    { name: 'package', command: script('package.ts'), reachedBy: product },
    { name: 'check', command: script('check.ts'), reachedBy: [''] },
    {
      name: 'journeys',
      command: script('testJourneys.ts', ...(isThorough ? [] : ['--smoke'])),
      after: 'package',
      reachedBy: [...product, 'test/e2e/'],
    },
    { name: 'unit', command: mocha, files: tests('unit') },
    {
      name: 'contract',
      command: mocha,
      files: tests('contract', kills),
      after: 'package',
    },
    { name: 'webviews', command: mocha, files: tests('webview') },
    {
      name: 'extension host',
      command: script('testHost.ts'),
      after: 'package',
      reachedBy: ['src/', 'test/host/', 'scripts/'],
    },
    {
      name: 'kills',
      command: mocha,
      files: tests(kills),
      isThorough: true,
    },
  ];
  return stages.filter((stage) => isThorough || stage.isThorough !== true);
}
