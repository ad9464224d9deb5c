import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { fromRoot, root } from '../../scripts/support/paths';

const repository = `${pathToFileURL(root).href}/`;

// Parts of the host run here without an extension host. Import this before them. Other importers, such as bundles
// that tests make in folders of their own, have a `vscode` of their own.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' && context.parentURL?.startsWith(repository) === true
      ? {
          url: pathToFileURL(fromRoot('test', 'support', 'vscodeModule.ts')).href,
          format: 'commonjs',
          shortCircuit: true,
        }
      : next(specifier, context),
});

export { cancelProgress } from './vscodeModule';
