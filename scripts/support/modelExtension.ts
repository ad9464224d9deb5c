import { join } from 'node:path';
import { writeSmallExtension } from './smallExtension';

/** Vendor and extension that `test/host` uses to register language models. */
export const MODEL_VENDOR = 'fleetwright-test';
export const MODEL_EXTENSION = `${MODEL_VENDOR}.models`;

/**
 * Writes an extension that may register language models for tests. VS Code permits this only to the
 * extension whose manifest names the vendor. The extension exports its own copy of the API, with
 * which tests register models and call them.
 *
 * @param extensions folder from which the server loads extensions
 */
export function writeModelExtension(extensions: string): void {
  writeSmallExtension(join(extensions, MODEL_EXTENSION), {
    id: MODEL_EXTENSION,
    activate: "require('vscode')",
    contributes: {
      languageModelChatProviders: [{ vendor: MODEL_VENDOR, displayName: 'Scripted Models' }],
    },
  });
}
