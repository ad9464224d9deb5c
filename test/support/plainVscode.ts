import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { fromRoot, root } from '../../scripts/support/paths';

const repository = `${pathToFileURL(root).href}/`;

// Runs parts of the host without an extension host. Tests must import this module before these
// parts. Other importers of `vscode`, such as bundles that tests create in separate folders, get
// their own module.
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
