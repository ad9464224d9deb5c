import { isRecord } from '../base/isRecord';
import { type Guard, isString } from './guards';

/** ID of the page's element that contains translations of its strings as JSON. */
export const TRANSLATIONS_ID = 'translations';

/** Translations by English string. */
export type Translations = Readonly<Record<string, string>>;

export const isTranslations: Guard<Translations> = (value): value is Translations =>
  isRecord(value) && Object.values(value).every((text) => isString(text));
