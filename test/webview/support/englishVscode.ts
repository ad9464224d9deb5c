import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { fromRoot } from '../../../scripts/support/paths';

// Texts of the host are read here in the language of the source, where there is no extension host.
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
