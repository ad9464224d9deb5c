import { readFileSync } from 'node:fs';
import { fromRoot } from '../../../scripts/support/paths';
import { toPseudoText } from '../../support/pseudoTexts';

let isPseudo = false;

/** Fake of `vscode.l10n` that returns the English source strings, or pseudo-translations of them. */
export const l10n = {
  t: (message: string, ...values: readonly unknown[]): string =>
    (isPseudo ? toPseudoText(message) : message).replaceAll(
      /\{(\d+)\}/g,
      (placeholder, index: string) =>
        Number(index) in values ? String(values[Number(index)]) : placeholder,
    ),
  get bundle(): Readonly<Record<string, string>> | undefined {
    return isPseudo ? (pseudoBundle ??= readPseudoBundle()) : undefined;
  },
};

let pseudoBundle: Readonly<Record<string, string>> | undefined;

function readPseudoBundle(): Readonly<Record<string, string>> {
  const english = readFileSync(fromRoot('l10n', 'bundle.l10n.json'), 'utf8');
  const texts = Object.keys(JSON.parse(english) as Readonly<Record<string, string>>);
  return Object.fromEntries(texts.map((text) => [text, toPseudoText(text)]));
}

export const env = { language: 'en' };

/**
 * Makes the strings of host and webviews pseudo-translations, or English again. Dates and numbers are then
 * formatted for a language that has no English letters in them.
 */
export function usePseudoTexts(isUsed: boolean): void {
  isPseudo = isUsed;
  env.language = isUsed ? 'zh-CN' : 'en';
}
