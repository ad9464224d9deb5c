import type { Metafile, Plugin } from 'esbuild';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findLocalizedStrings } from './localizedStrings';

/**
 * Adds a file `<app>.strings.json` next to the script of each webview app. It lists the localizable
 * strings in the script's source files, so that the host sends only their translations to the page.
 *
 * The build must have a `metafile`.
 */
export function webviewStrings(): Plugin {
  return {
    name: 'webview-strings',
    setup(bundle) {
      const { absWorkingDir = '' } = bundle.initialOptions;
      bundle.onEnd(({ outputFiles, metafile, errors }) => {
        if (errors.length > 0 || !metafile) return;
        const scripts = Object.entries(metafile.outputs).filter(
          ([path, { entryPoint }]) => entryPoint !== undefined && path.endsWith('.js'),
        );
        for (const [script] of scripts) {
          const text = JSON.stringify(findLocalizedStrings(findSources(metafile, script)));
          const path = join(absWorkingDir, script.replace(/\.js$/, '.strings.json'));
          const contents = Buffer.from(text);
          if (outputFiles) outputFiles.push({ path, text, contents, hash: text });
          else writeFileSync(path, contents);
        }
      });
    },
  };
}

/** Returns the source files of a script and of the chunks that it imports. */
function findSources({ inputs, outputs }: Metafile, script: string): readonly string[] {
  const loaded = new Set([script]);
  for (const path of loaded) outputs[path]?.imports.forEach((chunk) => loaded.add(chunk.path));
  const used = new Set([...loaded].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {})));
  return Object.keys(inputs).filter((path) => path.startsWith('webview/') && used.has(path));
}
