import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';

const SOURCES = globSync(['{src,webview,scripts,bench,test}/**/*.ts'], {
  exclude: (path) => path.includes('node_modules') || path.startsWith('src/gen'),
});

/** Names that docs/glossary.md replaces and that have no other meaning in this repository. */
const REPLACED = [
  /^(MOST|LEAST|LONGEST|DEEPEST|LARGEST|HIGHEST|SMALLEST)(_|$)/,
  /^(ask|asked|tell|told|said|hear|heard|hears)([A-Z]|$)/,
  /^(wayOut|WayOut|underWay|giveWay|besides?)$/,
  /[a-z](WayOut|UnderWay|Trouble)$/,
  /^(kept|keeps)[A-Z]/,
  /(^|_)(KEPT|PIECES?|TOLD|FORGOTTEN|LETTERS|STRETCH|MOMENT)(_|$)/,
  /_PER_TURN(_|$)/,
  /^(wanted|unwanted|isWanted|given|forget|forgotten|give|way|ways)$/,
  /^(forget|give|wanted|most)[A-Z]/,
  /^Found[A-Z]/,
  /^(taking|takes|take)Away$/,
  /^(what|who)[A-Z]/,
  /^(text|name|key|place|role|status|target|path|tags)Of$/,
];

/** Names that stored data contains, so that they can't change. */
const PERSISTED = new Set(['src/core/data/boxes/boxStorage.ts: wanted']);

describe('names in code', () => {
  it('match docs/glossary.md', () => {
    assert.ok(SOURCES.length > 1_000);
    const replaced = SOURCES.flatMap((path) =>
      listDeclaredNames(path)
        .filter((name) => REPLACED.some((pattern) => pattern.test(name)))
        .map((name) => `${path}: ${name}`)
        .filter((name) => !PERSISTED.has(name)),
    );
    assert.deepEqual([...new Set(replaced)], []);
  });

  it('are private by the modifier only, not by a hash', () => {
    const hashed = SOURCES.flatMap((path) =>
      listDeclaredNames(path)
        .filter((name) => name.startsWith('#'))
        .map((name) => `${path}: ${name}`),
    );
    assert.deepEqual(hashed, []);
  });
});

/** Returns the names that a file declares: of types, members, functions, parameters, variables. */
function listDeclaredNames(path: string): string[] {
  const source = ts.createSourceFile(
    path,
    readFileSync(path, 'utf8'),
    ts.ScriptTarget.Latest,
    false,
  );
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    const { name } = node as { name?: ts.Node };
    const isUse = ts.isPropertyAccessExpression(node) || ts.isImportSpecifier(node);
    const isName = name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name));
    if (isName && !isUse) names.push(name.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}
