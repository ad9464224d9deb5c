import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { fromRoot } from '../../../scripts/support/paths';

// Without an extension host, the host's strings are loaded in the language of the source.
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
