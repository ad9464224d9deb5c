import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './paths';

/** Returns true if an expression is `vscode.l10n.t`, or `l10n.t` of the localizer in core. */
function isTranslate(expression: ts.Expression): boolean {
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== 't') return false;
  const speaker = expression.expression;
  const name = ts.isPropertyAccessExpression(speaker) ? speaker.name : speaker;
  return ts.isIdentifier(name) && name.text === 'l10n';
}

/**
 * Returns the extension's localizable strings, in the order of the calls of `vscode.l10n.t`.
 * @throws for a string that is assembled at run time, because it can't be translated.
 */
export function localizedStrings(): readonly string[] {
  const found = new Set<string>();
  for (const file of globSync('src/{extension.ts,host/**/*.ts,core/**/*.ts,archives/**/*.ts}', {
    cwd: root,
  })) {
    const text = readFileSync(join(root, file), 'utf8');
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
