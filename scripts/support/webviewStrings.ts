import type { Plugin } from 'esbuild';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findLocalizedStrings } from './localizedStrings';

/**
 * Adds a file `<app>.strings.json` next to the script of a webview app. It lists the localizable
 * strings in the script's source files, so that the host sends only their translations to the page.
 *
 * The build must have one entry point and a `metafile`.
 */
export function webviewStrings(): Plugin {
  return {
    name: 'webview-strings',
    setup(bundle) {
      const { absWorkingDir = '' } = bundle.initialOptions;
      bundle.onEnd(({ outputFiles, metafile, errors }) => {
        if (errors.length > 0 || !metafile) return;
        const script = Object.keys(metafile.outputs).find((path) => path.endsWith('.js'));
        if (script === undefined) return;
        const sources = Object.keys(metafile.inputs).filter((path) => path.startsWith('webview/'));
        const text = JSON.stringify(findLocalizedStrings(sources));
        const path = join(absWorkingDir, script.replace(/\.js$/, '.strings.json'));
        const contents = Buffer.from(text);
        if (outputFiles) outputFiles.push({ path, text, contents, hash: text });
        else writeFileSync(path, contents);
      });
    },
  };
}
