import type { Plugin } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * Limits the styles of some apps to elements that match `selector`, because notebook renderers share
 * a page with outputs of other extensions. The apps' style sheets must be complete files.
 *
 * @param apps names of entry points
 */
export function scopeStyles(apps: readonly string[], selector: string): Plugin {
  const isScoped = (path: string): boolean => apps.some((app) => basename(path) === `${app}.css`);
  const scope = (css: string): string => `@scope (${selector}) {${css}}\n`;
  return {
    name: 'scope-styles',
    setup(bundle) {
      const { absWorkingDir = '' } = bundle.initialOptions;
      bundle.onEnd(({ outputFiles, metafile, errors }) => {
        if (errors.length > 0) return;
        for (const file of outputFiles?.filter(({ path }) => isScoped(path)) ?? []) {
          file.contents = Buffer.from(scope(file.text));
        }
        if (outputFiles) return;
        for (const output of Object.keys(metafile?.outputs ?? {}).filter(isScoped)) {
          const path = join(absWorkingDir, output);
          writeFileSync(path, scope(readFileSync(path, 'utf8')));
        }
      });
    },
  };
}
