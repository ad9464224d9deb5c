import { build, context, type BuildOptions } from 'esbuild';
import { generate } from './generate';
import { bundles } from './support/bundles';
import { writeModuleTemplates } from './support/moduleTemplates';
import { fromRoot, root } from './support/paths';
import { writeThirdPartyNotices } from './support/thirdPartyNotices';

const usage = 'build [--production] [--watch]';

async function watch(options: BuildOptions[]): Promise<void> {
  const contexts = await Promise.all(options.map((bundle) => context(bundle)));
  await Promise.all(contexts.map((bundle) => bundle.watch()));
}

/**
 * Bundles the extension, the service, every webview app, and the module templates into `dist/`. The output is
 * deterministic. `--production` minifies and omits source maps; `--watch` rebuilds on changes and
 * runs until it is stopped.
 */
async function main(flags: readonly string[]): Promise<void> {
  const unknown = flags.find((flag) => flag !== '--production' && flag !== '--watch');
  if (unknown !== undefined) throw new Error(`Unknown flag ${unknown}. Usage: ${usage}`);
  generate();
  writeModuleTemplates(fromRoot('dist', 'moduleTemplates'));
  const options = bundles({ root, production: flags.includes('--production') });
  if (flags.includes('--watch')) {
    await watch(options);
    return;
  }
  const results = await Promise.all(options.map((bundle) => build(bundle)));
  writeThirdPartyNotices(results.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {})));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
