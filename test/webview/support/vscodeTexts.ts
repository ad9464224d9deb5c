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
};

export const env = { language: 'en' };

/**
 * Makes the host's strings pseudo-translations, or English again. Dates and numbers are then
 * formatted for a language that has no English letters in them.
 */
export function usePseudoTexts(isUsed: boolean): void {
  isPseudo = isUsed;
  env.language = isUsed ? 'zh-CN' : 'en';
}
