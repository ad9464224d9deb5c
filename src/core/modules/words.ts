/**
 * Says sentences in the language of anyone who reads them: `vscode.l10n` in the editor, plain English on
 * the command line. Sentences are given as they are, with `{0}` for what is put in, so that they can be
 * collected for translators; parameters of this type are called `l10n`.
 */
export interface Words {
  t(message: string, ...args: string[]): string;
}

/** English, for where nothing is translated. */
export const plainWords: Words = {
  t: (message, ...args) =>
    message.replace(/\{(\d+)\}/g, (place, index: string) => args[Number(index)] ?? place),
};

/** Says one kind of sentence. Arguments that there are none of are empty. */
export type Say = (l10n: Words, first: string, second: string, third: string) => string;
