import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fromRoot, root } from '../../../scripts/support/paths';

interface TextRule {
  pattern: RegExp;
  reason: string;
  /** Files that need it. */
  except?: readonly string[];
}

// What the linter has no rule for.
const rules: Record<string, TextRule> = {
  'an export of everything': {
    pattern: /^export \* /m,
    reason: 'Export by name: a barrel hides where an export comes from.',
  },
  'a raw context key': {
    pattern: /['"]setContext['"]/,
    reason: 'Set context keys through src/host/platform/contextKeys.ts, which types them.',
    except: ['src/host/platform/contextKeys.ts'],
  },
  'a rule switched off': {
    pattern: /\/[/*]\s*oxlint-disable/,
    reason: 'Fix the code, or change the rule for everyone in .oxlintrc.json.',
  },
};

describe('The source text', () => {
  const texts = new Map<string, string>();

  before(() => {
    const patterns = ['src', 'webview', 'test', 'scripts', 'bench'].map(
      (folder) => `${folder}/**/*.{ts,mjs,cjs}`,
    );
    const exclude = ['**/node_modules/**', 'src/gen/**', 'test/e2e/{host,fixtures}/**'];
    for (const path of globSync(patterns, { cwd: root, exclude })) {
      texts.set(path.replaceAll('\\', '/'), readFileSync(fromRoot(path), 'utf8'));
    }
    assert(texts.size > 1000);
  });

  for (const [name, { pattern, reason, except = [] }] of Object.entries(rules)) {
    it(`does not contain ${name}`, () => {
      const paths = [...texts].filter(([, text]) => pattern.test(text)).map(([path]) => path);
      assert.deepEqual(
        paths.filter((path) => !except.includes(path)),
        [],
        reason,
      );
    });
  }
});
