// @ts-check
import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Where the `vscode` module exists: the extension host. Everything else also runs without an editor. */
const insideVsCode = [
  'src/extension.ts',
  'src/host/**',
  'test/host/**',
  'bench/support/activationProbe.ts',
];

/** The one place that registers commands and wraps them with error presentation. */
const commandRegistry = ['src/host/platform/commandRegistry.ts'];

/** The one place that sets context keys, from the typed ids in `src/manifest`. */
const contextKeys = ['src/host/platform/contextKeys.ts'];

const noDefaultExport = {
  selector: 'ExportDefaultDeclaration',
  message: 'Export by name: the file is called after its main export.',
};
const noExportStar = {
  selector: 'ExportAllDeclaration',
  message: 'Export by name: a barrel hides where a thing lives.',
};
const noRawCommand = {
  selector: 'CallExpression[callee.property.name=/^register(TextEditor)?Command$/]',
  message:
    'Register commands through the command registry: it presents errors and checks the manifest.',
};
const noRawContextKey = {
  selector: "CallExpression > Literal[value='setContext']",
  message: 'Set context keys through the typed keys of src/host/platform.',
};
const everywhere = [noDefaultExport, noExportStar];

export default tseslint.config(
  {
    ignores: ['dist/**', '.cache/**', 'src/gen/**', '**/node_modules/**', 'test/e2e/fixtures/**'],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error', noInlineConfig: true } },
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: [
          'tsconfig.json',
          'webview/tsconfig.json',
          'test/webview/tsconfig.json',
          'test/e2e/tsconfig.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      eqeqeq: 'error',
      'max-lines': ['error', { max: 500, skipBlankLines: true, skipComments: true }],
      'no-restricted-imports': ['error', { paths: ['vscode'] }],
      'no-restricted-syntax': ['error', ...everywhere, noRawCommand, noRawContextKey],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // An empty string is the wire's word for "not given".
      '@typescript-eslint/prefer-nullish-coalescing': [
        'error',
        { ignorePrimitives: { string: true } },
      ],
      // The wire's enums are open: a newer cloud may send a number that ours does not name.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // A class without instance state is a VS Code interface implemented, or a store of one method.
      '@typescript-eslint/no-extraneous-class': 'off',
    },
  },
  {
    files: insideVsCode,
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    files: commandRegistry,
    rules: { 'no-restricted-syntax': ['error', ...everywhere, noRawContextKey] },
  },
  {
    files: contextKeys,
    rules: { 'no-restricted-syntax': ['error', ...everywhere, noRawCommand] },
  },
  {
    // mocha's describe, it and hooks take async functions and hold their promises themselves.
    files: ['test/**'],
    rules: { '@typescript-eslint/no-misused-promises': 'off' },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: { console: 'readonly', process: 'readonly', module: 'readonly' },
    },
  },
  {
    // Configuration files: their tools ask for a default export.
    files: ['*.config.mjs'],
    rules: { 'no-restricted-syntax': 'off' },
  },
);
