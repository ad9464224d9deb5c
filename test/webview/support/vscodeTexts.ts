/** Fake of `vscode.l10n` that returns the English source strings. */
export const l10n = {
  t: (message: string, ...values: readonly unknown[]): string =>
    message.replaceAll(/\{(\d+)\}/g, (place, index: string) =>
      Number(index) in values ? String(values[Number(index)]) : place,
    ),
};

export const env = { language: 'en' };
