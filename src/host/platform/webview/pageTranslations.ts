import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Translations } from '../../../shared/translations';

/**
 * Returns translations for the strings that an app in `dist/webview` uses; undefined if VS Code
 * runs in English, or in a language without translations.
 */
export function pageTranslations(extensionUri: vscode.Uri, app: string): Translations | undefined {
  const { bundle } = vscode.l10n;
  if (!bundle) return undefined;
  const list = join(extensionUri.fsPath, 'dist', 'webview', `${app}.strings.json`);
  return selectTranslations(JSON.parse(readFileSync(list, 'utf8')) as string[], bundle);
}

/** Returns the translations of some strings. Strings without a translation stay in English. */
export function selectTranslations(strings: readonly string[], bundle: Translations): Translations {
  return Object.fromEntries(
    strings.flatMap((text) => {
      const translation = bundle[text];
      return translation === undefined ? [] : [[text, translation]];
    }),
  );
}
