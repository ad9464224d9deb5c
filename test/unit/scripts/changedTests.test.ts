import assert from 'node:assert/strict';
import { type ImportGraph, selectStages } from '../../../scripts/support/changedTests';
import type { TestStage } from '../../../scripts/support/testStages';

const graph: ImportGraph = new Map([
  ['src/base/clock.ts', []],
  ['src/core/store.ts', ['src/base/clock.ts']],
  ['test/unit/clock.test.ts', ['src/base/clock.ts']],
  ['test/unit/store.test.ts', ['src/core/store.ts']],
  ['test/unit/docs/links.test.ts', []],
  ['test/contract/fleet.test.ts', ['src/core/store.ts']],
  ['test/e2e/start.test.ts', []],
]);

const tests = [...graph.keys()].filter((path) => path.endsWith('.test.ts'));
const stages: readonly TestStage[] = [
  { name: 'package', command: ['package'], reachedBy: ['src/'] },
  { name: 'check', command: ['check'], reachedBy: [''] },
  { name: 'journeys', command: ['journeys'], after: 'package', reachedBy: ['src/', 'test/e2e/'] },
  ...['unit', 'contract'].map((name) => ({
    name,
    command: ['mocha'] as const,
    files: tests.filter((path) => path.startsWith(`test/${name}/`)),
  })),
];

/** Returns the name of each selected stage with its selected files. */
function select(...changed: readonly string[]): readonly (readonly string[])[] {
  return selectStages(stages, changed, graph).map(({ name, files = [] }) => [name, ...files]);
}

describe('selectStages', () => {
  it('selects the test files that import a changed file, directly or not', () => {
    assert.deepEqual(select('src/base/clock.ts'), [
      ['package'],
      ['check'],
      ['journeys'],
      ['unit', 'test/unit/clock.test.ts', 'test/unit/store.test.ts'],
      ['contract', 'test/contract/fleet.test.ts'],
    ]);
  });

  it('selects only a changed test file', () => {
    assert.deepEqual(select('test/unit/store.test.ts'), [
      ['check'],
      ['unit', 'test/unit/store.test.ts'],
    ]);
  });

  it('selects the stage that another one waits for', () => {
    assert.deepEqual(select('test/e2e/start.test.ts'), [['package'], ['check'], ['journeys']]);
  });

  it('selects the tests of the documentation for a changed text', () => {
    assert.deepEqual(select('README.md'), [['check'], ['unit', 'test/unit/docs/links.test.ts']]);
  });

  it('selects everything for a file outside the import graph', () => {
    assert.equal(selectStages(stages, ['package.json', 'README.md'], graph), stages);
  });

  it('selects nothing without changes', () => {
    assert.deepEqual(select(), []);
  });
});
