import type { Localizer } from '../../../base/localizer';

/** Formats one type of message. Arguments that the message doesn't use are empty. */
export type Say = (l10n: Localizer, first: string, second: string, third: string) => string;
