import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fromRoot, root } from '../../../scripts/support/paths';

// Words that nothing in the repository needs, so that a match is always a mistake.
const britishWords = [
  /\bcancelling\b/i,
  /\blabelling\b/i,
  /\b(?:behaviour|favourite|flavour)/i,
  /\b(?:catalogue|centre[ds]?|defence|grey)/i,
  /\b(?:author|custom|initial|normal|optim|recogn|serial|summar|synchron)is(?:e[ds]?|ing)\b/i,
  /\banalys(?:ed|ing)\b/i,
  /\btravell(?:ed|er|ing)\b/i,
];

const sources = [
  '*.md',
  'docs/**/*.md',
  '.github/**/*.{md,yml}',
  'l10n/*.json',
  'package.nls.json',
  'proto/**/*.proto',
  '{src,webview,scripts,bench}/**/*.{ts,mjs,css,md}',
  'test/unit/**/*.ts',
];

describe('The spelling', () => {
  const paths = globSync(sources, { cwd: root, exclude: ['**/node_modules/**', 'src/gen/**'] });

  it('is American', () => {
    const mistakes = paths
      .filter((path) => !path.endsWith('spelling.test.ts'))
      .flatMap((path) => {
        const lines = readFileSync(fromRoot(path), 'utf8').split('\n');
        return lines.flatMap((line, index) => {
          const words = britishWords.flatMap((pattern) => pattern.exec(line)?.[0] ?? []);
          return words.map((word) => `${path}:${index + 1} ${word}`);
        });
      });
    assert.deepEqual(mistakes, []);
  });
});
