/**
 * Translates messages: uses `vscode.l10n` in the editor, English on the command line. Messages are
 * literals with `{0}` for their arguments, so that `npm run strings` can collect them. Parameters
 * of this type are named `l10n`.
 */
export interface Localizer {
  t(message: string, ...args: string[]): string;
}

/** Returns messages in English. */
export const englishLocalizer: Localizer = {
  t: (message, ...args) =>
    message.replace(
      /\{(\d+)\}/g,
      (placeholder, index: string) => args[Number(index)] ?? placeholder,
    ),
};
