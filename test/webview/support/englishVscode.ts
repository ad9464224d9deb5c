import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { fromRoot } from '../../../scripts/support/paths';

// Loads the host's strings in the source language, because there is no extension host.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode'
      ? {
          url: pathToFileURL(fromRoot('test', 'webview', 'support', 'vscodeTexts.ts')).href,
          format: 'commonjs',
          shortCircuit: true,
        }
      : next(specifier, context),
});
