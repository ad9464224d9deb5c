import { createRequire } from 'node:module';
import { join } from 'node:path';
import { loadWithCodeCache } from './codeCache';

/** The part of `vscode.ExtensionContext` that the loader uses. */
interface Context {
  readonly globalStorageUri: { readonly fsPath: string };
  readonly subscriptions: { dispose(): unknown }[];
}

/** Exports of `src/extension.ts`. */
interface Extension {
  activate(context: Context): unknown;
  deactivate?(): unknown;
}

/** Delay after which VS Code has normally finished starting and lazy functions have been compiled. */
const saveDelayMs = 5000;

const program = join(__dirname, 'extensionMain.js');

/**
 * Loads and activates the extension. This file is the one that VS Code loads. It exists because
 * compiling the extension's code takes longer than running it, and only the code of another file can
 * be compiled with a code cache.
 */
export function activate(context: Context): unknown {
  const folder = join(context.globalStorageUri.fsPath, 'codeCache');
  const { exports, saveCodeCache } = loadWithCodeCache(program, folder);
  const result = (exports as Extension).activate(context);
  if (saveCodeCache !== undefined) {
    const timer = setTimeout(() => void saveCodeCache(), saveDelayMs);
    context.subscriptions.push({ dispose: () => clearTimeout(timer) });
  }
  return result;
}

/** Passes the call on. VS Code calls this only after an activation, so that the module is loaded. */
export function deactivate(): unknown {
  const extension = createRequire(__filename)(program) as Extension;
  return extension.deactivate?.();
}
