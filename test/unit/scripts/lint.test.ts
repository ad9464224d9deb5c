import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromRoot } from '../../../scripts/support/paths';

/** A violation: the folder of a tsconfig, source text that breaks a rule, and the rule. */
type Violation = readonly [project: string, source: string, rule: string];

const violations: Record<string, Violation> = {
  'a type error': ['src', "export const name: string = 'a'.length;", 'TS2322'],
  'an unchecked index': ['src', 'export const first = (a: string[]): string => a[0];', 'TS2322'],
  'the DOM in core and service': ['src', 'export const app = window;', 'TS2304'],
  'the test runner in core and service': ['src', "void describe('a', () => 0);", 'TS2593'],
  'Node in a webview': ['webview', 'export const id = process.pid;', 'TS2591'],
  'Node in a webview contract': ['src/shared', 'export const id = process.pid;', 'TS2591'],
  'the DOM in a webview contract': ['src/shared', 'export const app = document;', 'TS2584'],
  'a floating promise': ['src', 'fetch("");', 'no-floating-promises'],
  'a promise as a condition': ['src', 'if (fetch("")) console.log();', 'no-misused-promises'],
  'an await without a promise': [
    'src',
    'export const one = async (): Promise<number> => await 1;',
    'await-thenable',
  ],
  'a switch with a missing case': [
    'src',
    'export function f(a: 1 | 2): void { switch (a) { case 1: } }',
    'switch-exhaustiveness-check',
  ],
  'a condition that is always true': [
    'src',
    'export const f = (a: object): number => (a ? 1 : 2);',
    'no-unnecessary-condition',
  ],
  'an explicit any': ['src', 'export const f = (a: any): unknown => a;', 'no-explicit-any'],
  'an unsafe call': [
    'src',
    'export const f = (): void => { JSON.parse("")(); };',
    'no-unsafe-call',
  ],
  'an unsafe member': [
    'src',
    'export const f = (): void => { console.log(JSON.parse("").a); };',
    'no-unsafe-member-access',
  ],
  'an unsafe argument': [
    'src',
    'export const f = (): number => parseInt(JSON.parse(""));',
    'no-unsafe-argument',
  ],
  'an unsafe return': ['src', 'export const f = (): string => JSON.parse("");', 'no-unsafe-return'],
  'vscode outside of the extension host': [
    'src',
    "import { env } from 'vscode'; console.log(env);",
    'no-restricted-imports',
  ],
  'a default export': ['src', 'export default 1;', 'no-default-export'],
  'a command registered outside of the registry': [
    'src',
    'export const f = (a: { registerCommand(): void }): void => { a.registerCommand(); };',
    'no-restricted-properties',
  ],
  'a rule that is disabled in code': [
    'src',
    '// eslint-disable-next-line\nfetch("");',
    'no-floating-promises',
  ],
};

interface Diagnostic {
  code: string;
  filename: string;
}

/** Runs the linter with the repository's rules and compiler options over one file per violation. */
function lintViolations(folder: string): Map<string, Set<string>> {
  copyFileSync(fromRoot('.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  for (const [index, [project, source]] of Object.values(violations).entries()) {
    mkdirSync(join(folder, project), { recursive: true });
    const options = { extends: fromRoot(project, 'tsconfig.json'), include: ['.'] };
    writeFileSync(join(folder, project, 'tsconfig.json'), JSON.stringify(options));
    writeFileSync(join(folder, project, `violation${index}.ts`), `${source}\nexport {};\n`);
  }
  const { stdout } = spawnSync(
    process.execPath,
    [
      fromRoot('node_modules', 'oxlint', 'bin', 'oxlint'),
      ...['--format', 'json', 'src', 'webview'],
    ],
    { cwd: folder, encoding: 'utf8' },
  );
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] };
  const codes = new Map<string, Set<string>>();
  for (const { code, filename } of diagnostics) {
    const index = Number(/violation(\d+)\.ts$/.exec(filename)?.[1]);
    const name = Object.keys(violations)[index] ?? filename;
    codes.set(name, (codes.get(name) ?? new Set()).add(code.replace(/^.*\(|\)$/g, '')));
  }
  return codes;
}

describe('the linter', () => {
  let codes: Map<string, Set<string>>;
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'lint-'));
    // The compiler looks for type packages next to the tsconfig.
    symlinkSync(fromRoot('node_modules'), join(folder, 'node_modules'), 'junction');
    codes = lintViolations(folder);
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [name, [, , rule]] of Object.entries(violations)) {
    it(`reports ${name}`, () => {
      const reported = codes.get(name) ?? new Set();
      assert(reported.has(rule), `Reported: ${[...reported].join(', ')}`);
    });
  }
});
