import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import bundle from '../../../l10n/bundle.l10n.json';
import titles from '../../../package.nls.json';
import { fromRoot, root } from '../../../scripts/support/paths';

/** Methods of the journeys' helpers and of Playwright that look up elements by their text. */
const LOOKUPS = new Set([
  ...['pick', 'use', 'row', 'title', 'selectedCount'],
  ...['waitForMessage', 'pressButton', 'pressLink', 'pressDialogButton', 'waitUntilDismissed'],
  ...['menu', 'run', 'expand', 'collapse', 'click', 'drag', 'selectedRow', 'statusBarItem'],
  ...['activeTab', 'tabStartingWith', 'line', 'goToProblem', 'fix', 'lens', 'lensInFront'],
  ...['button', 'text', 'role', 'tab', 'problem', 'status', 'heading', 'link', 'gap', 'part'],
  ...['job', 'toggleLevel', 'filterChoice', 'getFilterInput', 'selected', 'position'],
  ...['getByText', 'getByRole', 'getByLabel', 'filter', 'locator'],
]);

/** File with the IDs of the texts. */
const TEXTS = 'test/e2e/support/texts.ts';

/** Journeys that still look up elements by English texts. */
const REMAINING: readonly string[] = [
  // The texts of the service's web pages have no keys.
  'test/e2e/invitePeople.test.ts',
];

/** ID of a command. */
const COMMAND = /^fleetwright\.[\w.]+$/;

const uiTexts = [...Object.keys(bundle), ...Object.values(titles)];

/** Returns true if a literal contains a word or phrase of a text of the extension. */
function isUiText(literal: string): boolean {
  const phrase = /[A-Z][a-z]{2,}|[A-Za-z']{2,} [A-Za-z']{2,}/;
  return literal
    .split(/\$\{[^}]*\}|\.\*|\\.|["^$|?()]/)
    .map((chunk) => chunk.trim())
    .some((chunk) => phrase.test(chunk) && uiTexts.some((text) => text.includes(chunk)));
}

function isLiteral(node: ts.Node): boolean {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateExpression(node) ||
    ts.isRegularExpressionLiteral(node)
  );
}

/** Returns the texts of the extension in the arguments of lookups, each with its line. */
function findUiTexts(file: string): readonly string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(fromRoot(file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const found: string[] = [];
  const visit = (node: ts.Node, isArgument: boolean): void => {
    if (ts.isCallExpression(node)) {
      const { expression } = node;
      const isLookup =
        ts.isPropertyAccessExpression(expression) && LOOKUPS.has(expression.name.text);
      visit(expression, false);
      for (const argument of node.arguments) visit(argument, isLookup);
      return;
    }
    const text = node.getText().slice(1, -1);
    if (isArgument && isLiteral(node) && !COMMAND.test(text) && isUiText(text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${file}:${line + 1} ${node.getText()}`);
    }
    const isValue = isArgument && !ts.isFunctionLike(node);
    ts.forEachChild(node, (child) => {
      visit(child, isValue);
    });
  };
  visit(source, false);
  return found;
}

describe('journeys', () => {
  const files = globSync('test/e2e/{*,support/*}.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted();

  it('find no element by an English text of the extension', () => {
    const found = files
      .filter((file) => !REMAINING.includes(file))
      .flatMap((file) => findUiTexts(file));
    assert.deepEqual(found, [], `Look it up by an ID of ${TEXTS}.`);
  });

  it('that are listed as exceptions still need the exception', () => {
    assert.deepEqual(
      REMAINING.filter((file) => findUiTexts(file).length === 0),
      [],
    );
  });

  it('use every ID of a text', () => {
    const read = (file: string): string => readFileSync(fromRoot(file), 'utf8');
    const ids = [...read(TEXTS).matchAll(/^ {2}(\w+):/gm)].map(([, id = '']) => id);
    assert.ok(ids.length > 100);
    const calls = files.map((file) => read(file)).join('\n');
    const used = new Set([...calls.matchAll(/\buiText\(\s*'(\w+)'/g)].map(([, id]) => id));
    assert.deepEqual(
      ids.filter((id) => !used.has(id)),
      [],
    );
  });
});
