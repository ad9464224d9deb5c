import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './paths';

/**
 * Source files with localizable strings. The host's calls use `vscode.l10n`; those of webviews use
 * `@vscode/l10n`, whose strings the host translates as well.
 */
const SOURCES =
  '{src/{extension.ts,host/**/*.ts,core/**/*.ts,archives/**/*.ts,files/**/*.ts},webview/**/*.ts}';

/** Returns true if an expression is `vscode.l10n.t`, or `l10n.t` of core's localizer or a webview. */
function isTranslate(expression: ts.Expression): boolean {
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== 't') return false;
  const speaker = expression.expression;
  const name = ts.isPropertyAccessExpression(speaker) ? speaker.name : speaker;
  return ts.isIdentifier(name) && name.text === 'l10n';
}

/**
 * Returns the localizable strings of source files in the bundle's order.
 *
 * @param files paths from the repository's root
 * @throws for a string that is assembled at run time, because it can't be translated.
 */
export function findLocalizedStrings(files: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    if (!text.includes('l10n.t(')) continue;
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && isTranslate(node.expression)) {
        const [message] = node.arguments;
        if (!message || !ts.isStringLiteralLike(message)) {
          const { line } = source.getLineAndCharacterOfPosition(node.getStart());
          throw new Error(`${file}:${line + 1}: l10n.t takes a text as it is, without a template`);
        }
        found.add(message.text);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return [...found].toSorted();
}

/**
 * Returns all localizable strings of the extension and its webviews.
 *
 * @throws for a string that is assembled at run time, because it can't be translated.
 */
export function localizedStrings(): readonly string[] {
  return findLocalizedStrings(globSync(SOURCES, { cwd: root }));
}
