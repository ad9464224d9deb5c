/** What texts need of `vscode`: they stay as they are written in the source, which is English. */
export const l10n = {
  t: (message: string, ...values: readonly unknown[]): string =>
    message.replaceAll(/\{(\d+)\}/g, (place, index: string) =>
      Number(index) in values ? String(values[Number(index)]) : place,
    ),
};

export const env = { language: 'en' };
