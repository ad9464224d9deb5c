/** ID of the page's element that contains the translations of its strings as JSON. */
export const TRANSLATIONS_ID = 'translations';

/** Translations by English string. */
export type Translations = Readonly<Record<string, string>>;
