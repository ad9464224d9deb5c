import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { fromRoot, root } from '../../scripts/support/paths';

const repository = `${pathToFileURL(root).href}/`;

/**
 * Provides a module instead of `vscode` for the files of this repository, because there is no
 * extension host. Other importers of `vscode`, such as bundles that tests create in separate
 * folders, get their own module.
 * @param path segments of the module's path from the repository's root
 */
export function provideVscode(...path: readonly string[]): void {
  const { href: url } = pathToFileURL(fromRoot(...path));
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'vscode' && context.parentURL?.startsWith(repository) === true
        ? { url, format: 'commonjs', shortCircuit: true }
        : next(specifier, context),
  });
}
