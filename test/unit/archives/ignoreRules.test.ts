import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
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

  it('match whole characters, unlike git, which compares bytes', () => {
    assert.deepEqual(ignored('?.o', 'é.o', '🤖.o'), ['é.o', '🤖.o']);
    assert.deepEqual(ignored('[à-é🤖].o', 'é.o', '🤖.o', 'z.o'), ['é.o', '🤖.o']);
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
    assert.deepEqual(ignored('*[a-b]'.repeat(60) + 'c', name, `${name}c`), [`${name}c`]);
    for (const part of ['[', '[a', '[[:', '[[:a', '[[:alpha:]', '\\', ' ']) {
      assert.deepEqual(ignored(`x${part.repeat(50_000)}y`, name), []);
    }
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

  it('cannot include version control files', async () => {
    folder.file(IGNORE_FILE, '!.git\n!.DS_Store\n!/.git/**\n!*\n');
    const isIgnored = await readIgnoreRules(folder.path);
    assert.ok(isIgnored('.git', true));
    assert.ok(isIgnored('a/.DS_Store', false));
    assert.ok(!isIgnored('main', false));
  });

  it('has the same meaning as for git', async () => {
    const paths = [
      ...['a', 'b', 'c', 'x', ']', '[', '-', '!', '\\', '#secret', '!keep', 'keep', 'secret'],
      ...[
        'secret ',
        'secret  ',
        'secret\t',
        'secret key',
        'secret\\',
        'se*et',
        'a.o',
        'b.a',
        'c.d',
      ],
      ...['A.txt', 'b.txt', '7z', '.txt', ' .txt', 'a]', '[a', '[a]', 'ab', 'a-b', 'a?'],
      ...['dir/a', 'dir/b', 'dir/sub/b', 'dir/sub/c', 'sub/dir/b', 'out/secret', 'out/x/[a]'],
    ];
    const rules = [
      ...[
        '[cod]',
        '*.[oa]',
        '[a-c].txt',
        '[!a]',
        '[^a]',
        '[]x]',
        '[!]x]',
        '[a-]',
        '[-a]',
        '[a-c-x]',
      ],
      ...['[[:digit:]]*', '[[:upper:][:space:]].txt', '[![:alpha:]]', '[[:nope:]]', '[[:alpha:]'],
      ...[
        '[\\]]',
        '[\\\\]',
        '[x-a]',
        '[a',
        '[]',
        '[!]',
        '[',
        'a[',
        '\\[a]',
        '[[]a]',
        '[[:x]',
        '[!a-c]b',
      ],
      ...[
        '#secret',
        '\\#secret',
        '!keep',
        '\\!keep',
        '*\n!keep',
        'secret key',
        'secret\\ key',
        'se\\*et',
      ],
      ...[
        'secret ',
        'secret\\ ',
        'secret\\  ',
        'secret\\',
        'secret\\\\',
        'secret\\\\ ',
        'secret\t',
        's\\ecret',
      ],
      ...[
        'a?',
        'a\\?',
        '?',
        '*',
        '**',
        '/**',
        'dir/**',
        '**/b',
        'dir/**/b',
        '/dir/',
        'dir',
        'sub/*',
      ],
      ...[
        'dir/[ab]',
        'dir/[!a]*',
        'dir[/]a',
        'dir\\/a',
        'out/**/[[]a]',
        '**/[a-c]',
        'out/',
        '/',
        '!',
      ],
      ...['\uFEFFsecret', '\uFEFF#secret', '\uFEFF!keep\nkeep', 'secret\r\n*.o\r', 'secret \r\n'],
    ];
    // One folder for each text, so that git has to be started only once.
    for (const [index, text] of rules.entries()) {
      for (const path of paths) folder.file(`${index}/${path}`);
      folder.file(`${index}/.gitignore`, text);
      folder.file(`${index}/${IGNORE_FILE}`, text);
    }
    const all = rules.flatMap((_, index) => paths.map((path) => `${index}/${path}`));
    const git = (args: readonly string[], input = ''): string =>
      spawnSync('git', ['-c', 'core.excludesFile=', ...args], {
        cwd: folder.path,
        input,
        encoding: 'utf8',
      }).stdout;
    git(['init', '--quiet']);
    const expected = git(['check-ignore', '--no-index', '--stdin', '-z'], all.join('\0'));
    const isIgnored = await Promise.all(
      rules.map((_, index) => readIgnoreRules(join(folder.path, String(index)))),
    );
    const actual = rules.flatMap((_, index) =>
      paths
        .filter((path) => {
          const names = path.split('/');
          return names.some((_name, depth) =>
            isIgnored[index]?.(names.slice(0, depth + 1).join('/'), depth < names.length - 1),
          );
        })
        .map((path) => `${index}/${path}`),
    );
    const byRule = (ignoredPaths: readonly string[]) =>
      rules.map((text, index) => [
        text,
        ignoredPaths
          .filter((path) => path.startsWith(`${index}/`))
          .map((path) => path.slice(`${index}/`.length)),
      ]);
    assert.deepEqual(byRule(actual), byRule(expected.split('\0')));
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
