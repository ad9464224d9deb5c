import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { fromRoot } from '../../scripts/support/paths';

// Parts of the host run here without an extension host. Import this before them.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode'
      ? {
          url: pathToFileURL(fromRoot('test', 'support', 'vscodeModule.ts')).href,
          format: 'commonjs',
          shortCircuit: true,
        }
      : next(specifier, context),
});

export { cancelProgress } from './vscodeModule';
