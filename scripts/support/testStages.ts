import { globSync } from 'node:fs';
import { fromRoot, root } from './paths';
import type { Stage } from './stages';

/** A stage of `npm test` and `npm run test:all`. */
export interface TestStage extends Stage {
  /** Test files to append to the command; absent if test files can't be selected individually. */
  files?: readonly string[];
  /** Name of the stage that must finish before this one starts. */
  after?: string;
  /** True if only `npm run test:all` runs the stage. */
  isThorough?: boolean;
  /** Path prefixes. A change to a file with one of these prefixes runs the whole stage. */
  reachedBy?: readonly string[];
}

const script = (name: string, ...args: string[]): Stage['command'] => [
  process.execPath,
  '--import',
  'tsx',
  fromRoot('scripts', name),
  ...args,
];

/** Makes mocha exit even if a test that timed out has left resources open. */
const mocha: Stage['command'] = ['mocha', '--exit'];

const kills = 'contract/kills';

/** Returns the test files in a folder of `test`, except those in an excluded folder. */
function tests(folder: string, except = ''): readonly string[] {
  const exclude = except === '' ? [] : [`test/${except}/**`];
  return globSync(`test/${folder}/**/*.test.ts`, { cwd: root, exclude }).sort();
}

const product = ['src/', 'webview/', 'scripts/'];

/**
 * Returns the stages in the order in which the lanes start them. Prerequisites and slow stages come
 * first.
 */
export function testStages(isThorough: boolean): readonly TestStage[] {
  const stages: readonly TestStage[] = [
    // This stage is a prerequisite, because the contract suite starts the bundled service and later
    // stages install the package.
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
