import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import {
  IGNORE_FILE,
  ignoreRules,
  IgnoreRulesError,
  readIgnoreRules,
} from '../../../src/archives/ignoreRules';
import { TestFolder } from '../../support/archives';

/** Returns the paths that a rule ignores; a trailing `/` marks a folder. */
function ignored(rule: string, ...paths: readonly string[]): readonly string[] {
  const isIgnored = ignoreRules(rule.split('\n'));
  return paths.filter((path) => isIgnored(path.replace(/\/$/, ''), path.endsWith('/')));
}

describe('ignore rules', () => {
  it('match names in all folders, and from the root if they contain a slash', () => {
    assert.deepEqual(ignored('*.o', 'a.o', 'b/a.o', 'a.os', 'o'), ['a.o', 'b/a.o']);
    assert.deepEqual(ignored('/a', 'a', 'b/a'), ['a']);
    assert.deepEqual(ignored('b/?.o', 'b/a.o', 'b/aa.o', 'c/b/a.o'), ['b/a.o']);
    assert.deepEqual(ignored('b/*', 'b/a', 'b/a/c', 'b'), ['b/a']);
    assert.deepEqual(ignored('(a|b).+', '(a|b).+', 'a.x'), ['(a|b).+']);
  });

  it('match any number of folders with two stars', () => {
    assert.deepEqual(ignored('**/x', 'x', 'a/x', 'a/b/x', 'ax'), ['x', 'a/x', 'a/b/x']);
    assert.deepEqual(ignored('a/**/x', 'a/x', 'a/b/c/x', 'b/a/x'), ['a/x', 'a/b/c/x']);
    assert.deepEqual(ignored('a/**', 'a/', 'a/b', 'a/b/c', 'b/a'), ['a/b', 'a/b/c']);
    assert.deepEqual(ignored('**/a/**/b*', 'a/b', 'x/a/y/z/bc', 'x/b'), ['a/b', 'x/a/y/z/bc']);
  });

  it('match only folders with a trailing slash, and are negated by an exclamation mark', () => {
    assert.deepEqual(ignored('out/', 'out', 'out/', 'a/out/'), ['out/', 'a/out/']);
    assert.deepEqual(ignored('*.o\n# but\n!keep.o', 'a.o', 'keep.o'), ['a.o']);
  });

  it('match in linear time with any pattern', () => {
    const name = 'a'.repeat(250);
    assert.deepEqual(ignored('*a'.repeat(60) + 'b', name, `${name}b`), [`${name}b`]);
    const deep = 'a/'.repeat(500);
    assert.deepEqual(ignored(`${'**/a/'.repeat(60)}b`, `${deep}a`, `${deep}b`), [`${deep}b`]);
  });
});

describe('the ignore file', () => {
  let folder: TestFolder;

  beforeEach(() => {
    folder = new TestFolder();
  });
  afterEach(() => folder[Symbol.dispose]());

  const expectRejection = (): Promise<void> =>
    assert.rejects(readIgnoreRules(folder.path), IgnoreRulesError);

  it('is optional', async () => {
    const isIgnored = await readIgnoreRules(folder.path);
    assert.ok(isIgnored('.git', true));
    assert.ok(!isIgnored('main', false));
  });

  it('is not a link, such as to an endless device', async () => {
    folder.link(IGNORE_FILE, '/dev/zero');
    await expectRejection();
  });

  it('is not a blocking pipe', async () => {
    execFileSync('mkfifo', [join(folder.path, IGNORE_FILE)]);
    await expectRejection();
  });

  it('is limited in bytes and in lines', async () => {
    folder.file(IGNORE_FILE, 'x'.repeat(100_001));
    await expectRejection();
    folder.file(IGNORE_FILE, 'x\n'.repeat(1_001));
    await expectRejection();
  });
});
