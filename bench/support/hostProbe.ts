import { build } from 'esbuild';
import { join, parse } from 'node:path';
import { root } from '../../scripts/support/paths';

/**
 * Bundles a script from this folder for the extension host, which loads only JavaScript.
 *
 * @returns the absolute path of the module whose `run()` function the extension host calls
 */
export async function bundleProbe(script: string, folder: string): Promise<string> {
  const outfile = join(folder, `${parse(script).name}.js`);
  await build({
    absWorkingDir: root,
    entryPoints: [join('bench', 'support', script)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    external: ['vscode'],
  });
  return outfile;
}
